"""The draws of a permutation test between metrics, over groups of metrics that share cells."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sigcore.meta.aligned import AlignedScores, RawScores
from sigcore.meta.permuted import Statistics, permuted_statistics
from sigcore.meta.schemes import Coins, draw_coins, draws_at_once
from sigcore.meta.tally import Tally, TallyResult
from sigcore.seeding import generator

__all__ = ["DrawPlan", "Drawn", "draw_differences"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
MetricPairs = Sequence[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class DrawPlan:
    """How a test is done; see `compare_metrics` for the attributes."""

    meta: tuple[str, ...]
    scheme: str
    alternative: str
    estimator: str
    pa_in_floats: bool
    n_resamples: int
    seed: int
    purpose: tuple[str, ...]
    keep_null: bool


@dataclass(frozen=True, slots=True)
class Drawn:
    """What the draws gave.

    Attributes
    ----------
    scores : mapping of str to ndarray, shape (metrics,)
        For each meta-metric the values of the metrics.
    tallies : mapping of str to TallyResult
        For each meta-metric the p-values of the pairs.
    n_cells : tuple of int
        Cells that entered, for each pair.
    empty, constant : tuple of int
        Metrics without any score on a cell that people rated, and metrics that could not be
        standardised.
    apart, undefined : tuple of (int, int)
        Other pairs of metrics that could not be compared, without or with cells in common.
    """

    scores: dict[str, FloatArray]
    tallies: dict[str, TallyResult]
    n_cells: tuple[int, ...]
    empty: tuple[int, ...]
    constant: tuple[int, ...]
    apart: tuple[tuple[int, int], ...]
    undefined: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class _Group:
    """Pairs of metrics that share the same cells.

    `rows` are the numbers of the pairs, `pairs` the same pairs as positions in `members`.
    """

    scores: AlignedScores
    statistics: list[Statistics]
    members: tuple[int, ...]
    rows: list[int]
    pairs: list[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class _Job:
    """Statistics to be drawn for those pairs of a group that have a value to compare."""

    statistics: Statistics
    rows: list[int]
    pairs: list[tuple[int, int]]
    observed: dict[str, FloatArray]


def draw_differences(raw: RawScores, pairs: MetricPairs, plan: DrawPlan) -> Drawn:
    """Draw coins and count what the hybrids of pairs of metrics give.

    Parameters
    ----------
    raw : RawScores
        Gold and metrics.
    pairs : sequence of (int, int)
        Pairs of metrics.
    plan : DrawPlan
        How to test.
    """
    tallies = {
        name: Tally(len(pairs), alternative=plan.alternative, keep=plan.keep_null)
        for name in plan.meta
    }
    scores = {name: np.full(len(raw.metrics), np.nan) for name in plan.meta}
    n_cells = [0] * len(pairs)
    constant: list[int] = []
    drawn: set[int] = set()
    for group in _groups(raw, pairs, plan, scores):
        for row in group.rows:
            n_cells[row] = int(np.count_nonzero(~np.isnan(group.scores.gold)))
        constant += [group.members[index] for index in np.flatnonzero(group.scores.constant)]
        jobs = [_job(group, statistics, plan) for statistics in group.statistics]
        drawn.update(row for job in jobs for row in job.rows)
        for coins in _coins(raw, plan):
            for job in jobs:
                _count(job, coins, tallies, exact=plan.keep_null)
    empty = [m for m in range(len(raw.metrics)) if not raw.shared_cells([m]).any()]
    useless = {*empty, *constant}
    left = [row for row in range(len(pairs)) if row not in drawn and not useless & {*pairs[row]}]
    return Drawn(
        scores=scores,
        tallies={name: tally.result(plan.estimator) for name, tally in tallies.items()},
        n_cells=tuple(n_cells),
        empty=tuple(empty),
        constant=tuple(sorted(set(constant))),
        apart=tuple(pairs[row] for row in left if not n_cells[row]),
        undefined=tuple(pairs[row] for row in left if n_cells[row]),
    )


def _groups(
    raw: RawScores, pairs: MetricPairs, plan: DrawPlan, scores: dict[str, FloatArray]
) -> Iterator[_Group]:
    """Prepare groups of pairs, and fill in the scores that metrics have on their own cells."""
    own = raw.groups([(metric,) for metric in range(len(raw.metrics))])
    for cells, metrics in own:
        if not cells.any():
            continue
        aligned, statistics = _prepare(raw, cells, metrics, plan)
        for each in statistics:
            for name, values in each.values.items():
                scores[name][metrics] = values / each.units[name]
        if len(own) == 1:  # All metrics have the same cells, and so have all pairs.
            rows = list(range(len(pairs)))
            yield _Group(aligned, statistics, tuple(metrics), rows, list(pairs))
            return
    for cells, rows in raw.groups(pairs):
        if not cells.any():
            continue
        members = sorted({metric for row in rows for metric in pairs[row]})
        aligned, statistics = _prepare(raw, cells, members, plan)
        local = [(members.index(pairs[row][0]), members.index(pairs[row][1])) for row in rows]
        yield _Group(aligned, statistics, tuple(members), rows, local)


def _prepare(
    raw: RawScores, cells: npt.NDArray[np.bool_], members: Sequence[int], plan: DrawPlan
) -> tuple[AlignedScores, list[Statistics]]:
    aligned = raw.align(cells, members)
    statistics = permuted_statistics(
        aligned, plan.meta, scheme=plan.scheme, pa_in_floats=plan.pa_in_floats
    )
    return aligned, statistics


def _job(group: _Group, statistics: Statistics, plan: DrawPlan) -> _Job:
    """Choose the pairs that have a value to compare, and scores to swap."""
    values = statistics.values
    usable = np.isfinite(np.array(list(values.values()))).all(axis=0)
    if plan.scheme != "pairs":
        usable &= ~group.scores.constant
    chosen = [k for k, (a, b) in enumerate(group.pairs) if usable[a] and usable[b]]
    pairs = [group.pairs[k] for k in chosen]
    first, second = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    observed = {name: value[first] - value[second] for name, value in values.items()}
    return _Job(statistics, [group.rows[k] for k in chosen], pairs, observed)


def _coins(raw: RawScores, plan: DrawPlan) -> Iterator[Coins]:
    """Draw all coins, a bounded number at a time; the same for every group."""
    rng = generator(plan.seed, f"perm-{plan.scheme}", *plan.purpose)
    n_systems, n_units = len(raw.gold), int(raw.labels[-1]) + 1
    step = draws_at_once(plan.scheme, n_systems, n_units)
    for start in range(0, plan.n_resamples, step):
        n_draws = min(step, plan.n_resamples - start)
        yield draw_coins(plan.scheme, rng, n_draws, n_systems, n_units)


def _count(job: _Job, coins: Coins, tallies: dict[str, Tally], *, exact: bool) -> None:
    """Compare draws with the observed differences; `exact` if their values are wanted as well."""
    if not job.rows:
        return
    statistics, rows = job.statistics, np.array(job.rows)
    drawn = statistics.draw(job.pairs, coins, None if exact else job.observed)
    for name, differences in drawn.items():
        tallies[name].add(
            rows,
            job.observed[name],
            differences,
            slack=statistics.slack[name],
            unit=statistics.units[name],
        )
