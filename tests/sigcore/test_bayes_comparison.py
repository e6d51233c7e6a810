import numpy as np
import pytest

from sigcore.bayes.comparison import bayes_test
from sigcore.bayes.folds import FoldCounts
from sigcore.bayes.sensitivity import sensitivity
from sigcore.errors import InputError

BASE = np.full((3, 2, 3), (900, 80, 100))
BETTER = np.full((3, 2, 3), (910, 75, 90))


def test_result_reports_effective_counts_and_settings():
    result = bayes_test(BASE, BETTER, measure="recall", rho1=0.5, rho2=0.5)
    assert result.weight == pytest.approx(1 / 3.5)
    assert result.model_a.counts.true_positives == pytest.approx(6 * 900 / 3.5)
    assert result.model_b.counts.false_negatives == pytest.approx(6 * 90 / 3.5)
    assert (result.n_repetitions, result.n_folds) == (3, 6)
    assert result.model_a.estimate == pytest.approx(0.9)
    assert result.flags == ()


def test_monte_carlo_and_quadrature_agree_with_a_zero_count_and_a_small_prior():
    folds = [[[[right, 0, 5]] * 2] * 3 for right in (300, 310)]
    options = {"measure": "precision", "prior": 0.02}
    # By an integral in mpmath with 30 digits.
    exact = bayes_test(*folds, **options).probability_h0
    assert exact == pytest.approx(0.499680642392914868, abs=1e-12)
    drawn = bayes_test(*folds, **options, method="monte-carlo")
    assert abs(drawn.probability_h0 - exact) < 4.5 * drawn.standard_error


def test_better_model_is_accepted_and_worse_model_is_not():
    assert bayes_test(BASE, BETTER).decision == "H1"
    assert bayes_test(BETTER, BASE).decision == "H0"


@pytest.mark.parametrize("measure", ["precision", "recall", "f1"])
@pytest.mark.parametrize("rope", [0.0, 0.001])
@pytest.mark.parametrize("factor", [0, 1, 3, 10**5])
def test_h0_is_accepted_on_equal_folds(measure, rope, factor):
    # A tie is H0 (section 3 of the paper), whatever the last digit says.
    result = bayes_test(factor * BASE, factor * BASE, measure=measure, rope=rope)
    assert result.probability_h0 == pytest.approx(result.probability_h1, abs=1e-10)
    assert result.decision in ("H0", "rope")
    assert rope > 0 or result.probability_h0 == pytest.approx(0.5, abs=1e-10)


def test_all_zero_counts_leave_the_prior():
    result = bayes_test(np.zeros((3, 2, 3)), np.zeros((3, 2, 3)), measure="precision")
    assert result.probability_h0 == pytest.approx(0.5, abs=1e-12)
    assert result.model_a.mean == 0.5
    assert len(result.flags) == 1


@pytest.mark.parametrize(
    ("measure", "counts"),
    [("precision", "TP and FP"), ("recall", "TP and FN"), ("f1", "TP, FP and FN")],
)
def test_what_is_undefined_has_a_reason(measure, counts):
    nothing = np.zeros((3, 2, 3))
    result = bayes_test(nothing, BASE, measure=measure, prior=0.25)
    assert np.isnan([result.model_a.estimate, result.model_a.mode]).all()
    assert result.reasons == (
        f"estimate of model A: 0/0, {counts} are 0 in all folds; its posterior is the prior",
        "mode of model A: the density is infinite at both ends",
    )
    assert result.to_record()["reasons"] == " | ".join(result.reasons)
    assert bayes_test(BASE, BETTER, measure=measure).reasons == ()


def test_a_flat_density_has_no_mode():
    result = bayes_test(BASE, np.zeros((3, 2, 3)), measure="recall")
    assert np.isnan(result.model_b.mode)
    assert result.reasons[-1] == "mode of model B: the density is flat"


def test_monte_carlo_agrees_and_states_its_error():
    exact = bayes_test(BASE, BETTER)
    drawn = bayes_test(BASE, BETTER, method="monte-carlo", n_draws=100_000, seed=3)
    p = exact.probability_h0
    assert drawn.standard_error == pytest.approx(np.sqrt(p * (1 - p) / 100_000), rel=0.1)
    assert abs(drawn.probability_h0 - p) < 4.5 * drawn.standard_error
    assert (exact.n_draws, exact.standard_error) == (0, 0.0)
    assert drawn.n_draws == 100_000


def test_difference_of_independent_posteriors_adds_variances():
    result = bayes_test(BASE, BETTER, measure="precision")
    a, b = result.model_a, result.model_b
    assert result.mean_difference == pytest.approx(b.mean - a.mean)
    assert result.sd_difference**2 == pytest.approx(a.sd**2 + b.sd**2)


def test_interval_does_not_leave_zero_to_one():
    few = np.full((3, 2, 3), (3, 0, 0))
    model = bayes_test(few, few, measure="recall", credibility=0.999).model_a
    assert 0 <= model.interval[0] < model.interval[1] <= 1
    assert model.highest_density_interval[1] == pytest.approx(1)


def test_more_repetitions_of_the_same_folds_add_little():
    # The weight bounds what m repetitions are worth: 2m w tends to 1 / mean(rho2) as m grows.
    sd = [bayes_test(*[np.full((m, 2, 3), (900, 80, 100))] * 2).model_a.sd for m in (1, 3, 50)]
    assert sd[0] > sd[1] > sd[2] > 0.6 * sd[0] / np.sqrt(2)


def test_region_of_practical_equivalence_is_named_when_it_is_most_probable():
    result = bayes_test(BASE, BETTER, rope=0.2)
    assert result.decision == "rope"
    total = result.probability_h0 + result.probability_h1 + result.probability_rope
    assert total == pytest.approx(1, abs=1e-12)


def test_differences_that_cannot_be_beyond_a_region_have_probability_0():
    # Nowhere is there a chance that is a floating-point number.
    result = bayes_test(BASE, BETTER, rope=0.99)
    found = (result.probability_h0, result.probability_h1, result.probability_rope)
    assert found == (0.0, 0.0, 1.0)


def test_record_is_flat():
    record = bayes_test(FoldCounts(BASE), BETTER).to_record()
    assert all(isinstance(value, (str, int, float)) for value in record.values())
    assert record["true_positives_a"] == pytest.approx(0.3688 * 5400, rel=1e-4)
    assert record["flags"] == ""


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({"measure": "accuracy"}, "measure"),
        ({"method": "bootstrap"}, "method"),
        ({"prior": -1.0}, "prior"),
        ({"prior": 1e-101}, "prior"),
        ({"prior": 1e13}, "prior"),
        ({"prior": "a"}, "prior"),
        ({"rope": 2.0}, "rope"),
        ({"rope": "x"}, "rope"),
        ({"credibility": 95.0}, "credibility"),
        ({"rho1": 3.0}, "rho1"),
        ({"rho1": "x"}, "rho1"),
        ({"rho2": "x"}, "rho2"),
        ({"method": "monte-carlo", "n_draws": 0}, "n_draws"),
    ],
)
def test_bad_options_are_refused_by_name(options, name):
    with pytest.raises(InputError, match=f"`{name}`"):
        bayes_test(BASE, BETTER, **options)


def test_folds_of_the_wrong_model_are_named():
    with pytest.raises(InputError, match="`folds_b`"):
        bayes_test(BASE, -BETTER)


def test_sensitivity_agrees_with_single_tests_at_the_corners():
    found = sensitivity(BASE, BETTER, n_points=3)
    assert found.rho1.tolist() == [0.0, 0.25, 0.5]
    assert found.rho2.tolist() == [0.25, 0.375, 0.5]
    for i, j in ((0, 0), (0, 2), (2, 0), (2, 2)):
        single = bayes_test(BASE, BETTER, rho1=found.rho1[i], rho2=found.rho2[j])
        assert found.probability_h0[i, j] == single.probability_h0
        assert found.weight[i, j] == single.weight
    default = bayes_test(BASE, BETTER).probability_h0
    assert found.range_h0[0] < default < found.range_h0[1]
    assert found.decisions == ("H1",)


def test_sensitivity_names_all_decisions_that_occur():
    # The wider the posteriors, the less probable is a narrow region around no difference.
    found = sensitivity(BASE, BASE, rope=0.002, rho2_range=(0.0, 1.0), n_points=5)
    assert found.decisions == ("H0", "rope")
