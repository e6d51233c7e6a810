"""The two lengths that section 2.4 of Wang & Li (2019) prints, 0.0854 and 0.117.

Both intervals come from the same three sums of counts; only the weight differs. So all experiments
there can be, with any data, learner, size, class shares, partition and truth, are pairs of numbers:
items that are right (TP), and wrong ones (FP, FN, or both for F1).
"""

import numpy as np
import pytest
from scipy.special import betaincinv

from sigcore.bayes.folds import effective_weight
from sigcore.bayes.posterior import fold_posterior, mean_count_posterior

NEW, OLDER = effective_weight(3), effective_weight(3, rho1=1.0, rho2=1.0)
PRINTED_NEW = 0.0854
# What is printed as 0.117 is below this.
ROUNDED = 0.1175


def length(right, wrong, weight, *, measure, prior):
    """Length of the 95% interval, by the formulas of the paper."""
    n_priors = 2 if measure == "f1" else 1
    z = [betaincinv(weight * right + prior, weight * wrong + n_priors * prior, p)
         for p in (0.025, 0.975)]  # fmt: skip
    lower, upper = (2 * end / (1 + end) if measure == "f1" else end for end in z)
    return upper - lower


def shortest_older(*, least=0, **options):
    """Shortest older interval of all experiments whose new interval is as long as printed.

    An experiment has at least `least` items that are right and as many that are wrong. Between
    neighbouring numbers of wrong items lengths are interpolated.
    """
    start = [least] if least else [0, 1]
    right = np.concatenate([start, np.geomspace(1.1, 2e4, 90)])[:, None]
    wrong = np.concatenate([start, np.geomspace(1.01, 1e5, 900)])
    excess = length(right, wrong, NEW, **options) - PRINTED_NEW
    older = length(right, wrong, OLDER, **options)
    row, column = np.nonzero(excess[:, :-1] * excess[:, 1:] < 0)
    here, there = excess[row, column], excess[row, column + 1]
    part = here / (here - there)
    return ((1 - part) * older[row, column] + part * older[row, column + 1]).min()


@pytest.mark.parametrize(
    ("measure", "prior", "least", "expected"),
    [
        ("f1", 1.0, 0, 0.1263),
        ("precision", 1.0, 0, 0.1265),
        ("f1", 0.5, 0, 0.1264),
        ("precision", 0.5, 0, 0.1266),
        ("f1", 5.0, 0, 0.1249),
        ("precision", 5.0, 0, 0.1254),
        ("f1", 25.0, 0, 0.1181),
        # As the prior goes to 0 intervals from nothing but right or wrong items shrink to a point.
        ("f1", 1e-12, 1, 0.1188),
        ("precision", 1e-12, 1, 0.1211),
        ("f1", 0.1, 1, 0.1238),
        ("precision", 0.1, 1, 0.1251),
    ],
)
def test_no_experiment_gives_the_printed_pair_of_lengths(measure, prior, least, expected):
    found = shortest_older(least=least, measure=measure, prior=prior)
    assert found == pytest.approx(expected, abs=5e-5)
    assert found > ROUNDED


def test_a_prior_that_allows_the_pair_is_far_from_the_papers():
    # The paper's prior is 1.
    assert shortest_older(measure="f1", prior=30.0) < ROUNDED


@pytest.mark.parametrize("measure", ["f1", "precision"])
def test_no_average_over_corpora_gives_the_pair(measure):
    # Where the new interval is no longer than 0.3 the older one is 1.39 times as long in each
    # corpus, so on average too; in the simulation the standard deviation of lengths is 0.002.
    share, size = np.linspace(0, 1, 201), np.geomspace(1, 1e6, 400)[:, None]
    new, older = (
        length(share * size, (1 - share) * size, weight, measure=measure, prior=1.0)
        for weight in (NEW, OLDER)
    )
    assert (older / new)[new <= 0.3].min() > 1.39
    assert 1.39 * PRINTED_NEW > ROUNDED


def test_the_formulas_here_are_those_of_the_library():
    # The experiment of the shortest older interval: 244 right and 1402 wrong in six folds.
    folds = np.array([[[40, 117, 116]] * 2] * 3)
    folds[0, 0] += [4, 0, 4]
    lengths = [
        np.ptp(find(folds).equal_tailed_interval())
        for find in (fold_posterior, mean_count_posterior)
    ]
    options = {"measure": "f1", "prior": 1.0}
    expected = [length(244, 1402, weight, **options) for weight in (NEW, OLDER)]
    assert lengths == pytest.approx(expected, rel=1e-12)
    assert lengths == pytest.approx([PRINTED_NEW, 0.1263], abs=5e-5)
