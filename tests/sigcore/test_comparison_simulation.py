import numpy as np
import pytest

from sigcore.comparison.simulation import SETTINGS, simulate_pvalues, simulate_scores
from sigcore.errors import InputError


def pvalues(rows, setting, n):
    return np.array([row["pvalue"] for row in rows if (row["setting"], row["n"]) == (setting, n)])


def test_pvalues_are_uniform_without_a_difference_and_vanish_with_one():
    rows = simulate_pvalues([50, 20000], n_runs=200)
    for setting in ("normal-null", "beta-null"):
        for n in (50, 20000):
            found = pvalues(rows, setting, n)
            # Mean of 200 uniform numbers: standard deviation 0.02.
            assert found.mean() == pytest.approx(0.5, abs=0.08)
            assert np.mean(found < 0.05) < 0.12
    for setting in ("normal-shifted", "beta-shifted"):
        assert pvalues(rows, setting, 20000).mean() < 0.01
    # Beta converges sooner, as the paper observes.
    early = simulate_pvalues([2000], n_runs=50)
    assert (
        pvalues(early, "beta-shifted", 2000).mean() < pvalues(early, "normal-shifted", 2000).mean()
    )


def test_a_size_gives_the_same_whatever_the_other_sizes():
    both, one = (simulate_pvalues(sizes, n_runs=3) for sizes in ([20, 40], [40]))
    assert [row for row in both if row["n"] == 40] == one
    assert simulate_pvalues([40], n_runs=3, seed=1) != one


def test_beta_settings_have_the_printed_variance_and_difference_of_medians():
    # Zhu et al. (2020), section 5.2: about 0.046 and 0.02.
    from scipy import stats

    first, second = (stats.beta(*shapes) for shapes in (SETTINGS[3].first, SETTINGS[3].second))
    assert first.var() + second.var() == pytest.approx(0.046, abs=0.0005)
    assert first.median() - second.median() == pytest.approx(0.02, abs=0.0005)


def test_simulated_scores_are_a_close_pair():
    scores = simulate_scores(500, seed=0)
    assert scores.shape == (500, 2)
    assert 0.0 < scores.min() < scores.max() < 1.0
    assert np.corrcoef(scores.T)[0, 1] > 0.5


def test_sizes_are_checked():
    with pytest.raises(InputError, match="`sizes`"):
        simulate_pvalues([1])
