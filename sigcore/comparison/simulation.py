"""Simulated scores of two systems, and p-values of tests on them against sample size."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import expit

from sigcore.comparison.significance import row_pvalues
from sigcore.seeding import generator
from sigcore.validation import FloatArray, as_count

__all__ = ["SETTINGS", "Setting", "simulate_pvalues", "simulate_scores"]


@dataclass(frozen=True, slots=True)
class Setting:
    """A simulation: how the scores of two systems are drawn, and the test on them.

    Attributes
    ----------
    name : str
        Short name.
    distribution : {"normal", "beta"}
        Distribution of the scores.
    first, second : tuple of two float
        Its parameters for each system: mean and standard deviation, or the two shapes.
    test : str
        The test, two-sided.
    """

    name: str
    distribution: str
    first: tuple[float, float]
    second: tuple[float, float]
    test: str

    @property
    def null_true(self) -> bool:
        """Whether both systems have the same distribution."""
        return self.first == self.second


# ASSUME: the paper gives no parameters. For Beta it prints the variance of the differences, about
# 0.046, and the difference of the medians, about 0.02, which these shapes have; for normal scores
# it only says that the variance is large.
SETTINGS = (
    Setting("normal-null", "normal", (0.0, 1.0), (0.0, 1.0), "t"),
    Setting("normal-shifted", "normal", (0.05, 1.0), (0.0, 1.0), "t"),
    Setting("beta-null", "beta", (5.0, 5.0), (5.0, 5.0), "wilcoxon"),
    Setting("beta-shifted", "beta", (5.0, 4.64), (5.0, 5.0), "wilcoxon"),
)


def simulate_pvalues(
    sizes: Sequence[int],
    *,
    n_runs: int = 20,
    settings: Sequence[Setting] = SETTINGS,
    seed: int = 0,
) -> list[dict[str, Any]]:
    """Test simulated systems at several sample sizes, as Figure 5 of Zhu et al. (2020) shows.

    Parameters
    ----------
    sizes : sequence of int
        Numbers of pairs.
    n_runs : int
        Runs at each size.
    settings : sequence of Setting
        What to simulate.
    seed : int
        Seed of the simulation. A size gives the same p-values whatever the other sizes.

    Returns
    -------
    list of dict
        A row for each setting, size and run.
    """
    as_count(n_runs, "n_runs", minimum=1)
    checked = [as_count(size, "sizes", minimum=2) for size in sizes]
    rows = []
    for setting in settings:
        for n in checked:
            rng = generator(seed, "simulated p-values", setting.name, str(n))
            differences = _draw(setting, setting.first, (n_runs, n), rng)
            differences -= _draw(setting, setting.second, (n_runs, n), rng)
            pvalues = row_pvalues(setting.test, differences)
            rows += [
                {
                    "setting": setting.name,
                    "distribution": setting.distribution,
                    "test": setting.test,
                    "null_true": setting.null_true,
                    "n": n,
                    "run": run,
                    "pvalue": float(pvalue),
                }
                for run, pvalue in enumerate(pvalues, start=1)
            ]
    return rows


def simulate_scores(n: int = 2000, *, seed: int = 0) -> FloatArray:
    """Draw scores between 0 and 1 of two systems on the same sentences.

    Parameters
    ----------
    n : int
        Sentences.
    seed : int
        Seed of the simulation.

    Returns
    -------
    ndarray of shape (n, 2)
        Right-skewed and correlated, like BLEU of sentences; the first system is a little better.
    """
    as_count(n, "n", minimum=1)
    rng = generator(seed, "simulated paired scores")
    difficulty = rng.normal(-1.05, 0.7, size=(n, 1))
    return np.asarray(expit(difficulty + rng.normal([0.04, 0.0], 0.35, size=(n, 2))))


def _draw(
    setting: Setting,
    parameters: tuple[float, float],
    shape: tuple[int, int],
    rng: np.random.Generator,
) -> FloatArray:
    if setting.distribution == "normal":
        return rng.normal(*parameters, size=shape)
    return rng.beta(*parameters, size=shape)
