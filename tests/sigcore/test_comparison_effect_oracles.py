"""Effect sizes and their intervals on random inputs, against all pairs and laws counted out."""

import math

import numpy as np
import pytest
from scipy import stats

from sigcore.comparison.effect_size import cohens_d, hedges_g
from sigcore.comparison.rank_effects import (
    cliffs_delta,
    common_language,
    hodges_lehmann,
    wilcoxon_r,
)


def random_scores(rng):
    """Scores in tenths or reals, with ties and zeros, so that whole numbers tell what ties."""
    n = int(rng.integers(2, 30))
    v = rng.integers(0, 60, n)
    d = rng.integers(-3, 4, n) if rng.random() < 0.5 else rng.integers(-40, 60, n)
    return (v + d) / 10, v / 10, v + d, v


def walsh_ends(d, error):
    """Ends of the interval by the law of W+ without ties, and all averages."""
    n = len(d)
    law = np.ones(1)
    for rank in range(1, n + 1):
        law = np.append(law, np.zeros(rank)) / 2 + np.append(np.zeros(rank), law) / 2
    averages = np.sort([(d[i] + d[j]) / 2 for i in range(n) for j in range(i, n)])
    rank = int(np.count_nonzero(np.cumsum(law) <= error * (1 + 1e-9)))
    return (averages[rank - 1], averages[-rank]) if rank else (-math.inf, math.inf)


@pytest.mark.parametrize("seed", range(4))
def test_rank_effects_agree_with_all_pairs(seed):
    rng = np.random.default_rng([91, seed])
    for _ in range(75):
        u, v, first, second = random_scores(rng)
        d, n = first - second, len(first)
        sign = np.sign(first[:, None] - second[None, :])
        delta = cliffs_delta(u, v)
        assert delta.estimate == pytest.approx(sign.mean(), abs=1e-12)
        if delta.interval is not None:
            error = (sign.mean(axis=1) + sign.mean(axis=0)).std(ddof=1) / math.sqrt(n)
            centre, half = math.atanh(sign.mean()), 1.959963984540054 * error
            ends = [math.tanh(centre + s * half / (1 - sign.mean() ** 2)) for s in (-1, 1)]
            assert (delta.interval.low, delta.interval.high) == pytest.approx(ends, abs=1e-9)
        assert common_language(u, v).estimate == pytest.approx(0.5 + np.sign(d).mean() / 2)
        shift = hodges_lehmann(u, v)
        averages = (d[:, None] + d[None, :])[np.triu_indices(n)] / 20
        assert shift.estimate == pytest.approx(np.median(averages), abs=1e-12)
        ends = walsh_ends(d / 10, 0.025)
        assert (shift.interval.low, shift.interval.high) == pytest.approx(ends, abs=1e-12)
        if used := np.count_nonzero(d):
            ranks = stats.rankdata(np.abs(d[d != 0]))
            z = (ranks[d[d != 0] > 0].sum() - ranks.sum() / 2) / math.sqrt((ranks**2).sum() / 4)
            assert wilcoxon_r(u, v).estimate == pytest.approx(z / math.sqrt(used))


def test_standardised_effects_agree_with_the_noncentral_t_of_scipy():
    rng = np.random.default_rng(92)
    checked = 0
    while checked < 60:
        u, v, first, second = random_scores(rng)
        d, n = first - second, len(first)
        t = d.mean() / d.std(ddof=1) * math.sqrt(n) if np.ptp(d) else math.inf
        if n < 3 or abs(t) > 12:
            continue
        found = cohens_d(u, v)
        assert found.estimate == pytest.approx(t / math.sqrt(n))
        centres = np.array([found.interval.low, found.interval.high]) * math.sqrt(n)
        chances = stats.nct.cdf(t, n - 1, centres)
        if np.isnan(chances).any():
            continue  # scipy fails at some arguments
        assert chances == pytest.approx([0.975, 0.025], abs=1e-7)
        factor = math.gamma((n - 1) / 2) / math.gamma((n - 2) / 2) / math.sqrt((n - 1) / 2)
        corrected = hedges_g(u, v)
        assert corrected.estimate == pytest.approx(factor * t / math.sqrt(n))
        checked += 1
