"""Where a metric stands among others: its place, whom it beats, and where it contradicts people."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from sigcore.errors import InputError
from sigcore.evalset import EvalSet
from sigcore.meta.adjustment import CORRECTIONS, warn_of_few_draws
from sigcore.meta.clusters import greedy_clusters
from sigcore.meta.contests import Comparer, PairTests, adjusted_pvalues, needed_tests
from sigcore.meta.disagreement import Disagreement, disagreements
from sigcore.meta.records import metric_records, pvalue_records
from sigcore.permutation.differences import Blocks
from sigcore.validation import as_choice, as_count, as_probability

__all__ = ["Contest", "Placement", "Ranking", "Standing", "place_metrics"]

FloatArray = npt.NDArray[np.float64]
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Standing:
    """One line of a ranking.

    Attributes
    ----------
    name : str
        Name of the metric.
    kind : {"stored", "new", "human", "corpus"}
        Where it comes from. Human ratings and corpus-level scores are listed but not ranked.
    spa, pa : float
        Soft and plain pairwise accuracy.
    n_agree, n_pairs : int
        Pairs of systems ordered as people do, and all pairs.
    place : int or None
        One more than the number of ranked metrics with a larger SPA.
    cluster : int or None
        Rank of the cluster, by the greedy rule.
    """

    name: str
    kind: str
    spa: float
    pa: float
    n_agree: int
    n_pairs: int
    place: int | None = None
    cluster: int | None = None


@dataclass(frozen=True, slots=True)
class Contest:
    """A metric against another one.

    Attributes
    ----------
    other : str
        The other metric.
    difference : float
        SPA of the metric minus SPA of the other.
    pvalue : float
        Two-sided p-value; NaN if one of the two is constant.
    low, high : float
        95% interval of the p-value given the number of draws.
    adjusted : float
        p-value adjusted for the number of contests of the metric.
    outcome : {"better", "worse", "open"}
        What the adjusted p-value says of the metric.
    """

    other: str
    difference: float
    pvalue: float
    low: float
    high: float
    adjusted: float
    outcome: str


@dataclass(frozen=True, slots=True)
class Placement:
    """Where one metric stands.

    Attributes
    ----------
    standing : Standing
        Its line in the ranking.
    contests : tuple of Contest
        Against every other metric and human rating, best first.
    disagreements : tuple of Disagreement
        Pairs of systems with the largest distance, largest first.
    """

    standing: Standing
    contests: tuple[Contest, ...]
    disagreements: tuple[Disagreement, ...]

    def count(self, outcome: str) -> int:
        """Count the contests with an outcome."""
        return sum(contest.outcome == outcome for contest in self.contests)


@dataclass(frozen=True, slots=True)
class Ranking:
    """Result of `place_metrics`.

    Attributes
    ----------
    standings : tuple of Standing
        All metrics, best first.
    placements : tuple of Placement
        Those asked for, in the order asked for.
    n_systems, n_segments : int
        Size of the data.
    alpha : float
        Level; p-values up to and including it are significant.
    adjust : str
        How p-values are adjusted; clusters use them as they are.
    scheme : str
        How metrics are compared.
    n_documents : int or None
        Documents that swap, in all p-values; None where segments do.
    n_resamples, seed : int
        Draws and their seed.
    """

    standings: tuple[Standing, ...]
    placements: tuple[Placement, ...]
    n_systems: int
    n_segments: int
    alpha: float
    adjust: str
    scheme: str
    n_documents: int | None
    n_resamples: int
    seed: int

    @property
    def n_ranked(self) -> int:
        """Number of metrics that have a place."""
        return sum(standing.place is not None for standing in self.standings)

    @property
    def n_clusters(self) -> int:
        """Number of clusters."""
        return max((standing.cluster or 0 for standing in self.standings), default=0)

    def to_record(self) -> dict[str, Any]:
        """Return everything as nested dictionaries and lists."""
        return asdict(self)


def place_metrics(
    evalset: EvalSet,
    names: Sequence[str],
    *,
    human: Sequence[str] = (),
    unranked: Sequence[Standing] = (),
    alpha: float = 0.05,
    adjust: str = "none",
    blocks: Blocks | None = None,
    n_resamples: int = 1000,
    seed: int = 0,
    n_disagreements: int = 10,
) -> Ranking:
    """Place metrics among all metrics of an evaluation set.

    Parameters
    ----------
    evalset : EvalSet
        Selected systems, segments and metrics, those to place among them. With gaps, the test
        between metrics uses the segments with all scores.
    names : sequence of str
        Metrics to place.
    human : sequence of str
        Metrics of the set that are ratings by people: they are compared, but take no place.
    unranked : sequence of Standing
        Further lines of the ranking, such as corpus-level scores.
    alpha : float, default 0.05
        Level of clusters and contests.
    adjust : {"none", "bonferroni", "holm", "bh", "maxt"}
        Adjustment for the number of contests of a metric, see `adjusted_pvalues`.
    blocks : sequence, optional
        Document of each segment; the segments of a document swap together.
    n_resamples, seed : int
        Draws of the test between metrics, and their seed.
    n_disagreements : int, default 10
        Pairs of systems to list for each metric.

    Returns
    -------
    Ranking

    Notes
    -----
    SPA is that of `soft_pairwise_accuracy`; metrics are compared by PERM-INPUTS, two-sided, see
    `compare_metrics`, and clustered by `greedy_clusters`. Only the pairs of metrics that places
    and contests need are tested in full; this does not change any value.
    """
    as_probability(alpha, "alpha")
    as_choice(adjust, "adjust", CORRECTIONS)
    as_count(n_disagreements, "n_disagreements")
    chosen = [evalset.metric_index(name) for name in dict.fromkeys(names)]
    people = [evalset.metric_index(name) for name in dict.fromkeys(human)]
    if set(chosen) & set(people):
        raise InputError(f"`names` and `human` must differ; got {list(names)} and {list(human)}.")
    comparer = Comparer(evalset, blocks, n_resamples, seed)
    comparer.require_segments()
    rows = pvalue_records(evalset, [None, *evalset.metric_names], ties="mid", blocks=blocks)
    scores = metric_records(evalset, rows)
    ranked = [position for position in range(len(scores)) if position not in people]
    tests = needed_tests(
        comparer, [row["spa"] for row in scores], ranked=ranked, chosen=chosen, alpha=alpha
    )
    # Clusters use p-values as they are, contests the adjusted ones.
    warn_of_few_draws(n_resamples, len(ranked) - 1, method="none", alpha=alpha)
    if chosen and adjust in ("bonferroni", "holm"):
        warn_of_few_draws(n_resamples, len(scores) - 1, method=adjust, alpha=alpha)
    adjusted = [adjusted_pvalues(comparer, tests, metric, adjust=adjust) for metric in chosen]
    standings = _standings(scores, ranked, tests, alpha)
    return Ranking(
        standings=tuple(sorted((*standings, *unranked), key=_best_first)),
        placements=tuple(
            Placement(
                standing=standings[metric],
                contests=_contests(metric, standings, tests, values, alpha),
                disagreements=disagreements(rows, evalset.metric_names[metric])[:n_disagreements],
            )
            for metric, values in zip(chosen, adjusted, strict=True)
        ),
        n_systems=evalset.n_systems,
        n_segments=evalset.n_segments,
        alpha=alpha,
        adjust=adjust,
        scheme=tests.scheme,
        n_documents=None if blocks is None else len(set(blocks)),
        n_resamples=n_resamples,
        seed=seed,
    )


def _standings(
    scores: Sequence[Row], ranked: list[int], tests: PairTests, alpha: float
) -> list[Standing]:
    """Return a line for each metric, in the order of the set."""
    spa = np.array([scores[metric]["spa"] for metric in ranked])
    names = [scores[metric]["metric"] for metric in ranked]
    clusters = greedy_clusters(spa, tests.pvalues[np.ix_(ranked, ranked)], names=names, alpha=alpha)
    places = {name: 1 + int((spa > value).sum()) for name, value in zip(names, spa, strict=True)}
    ranks = dict(zip(names, clusters.ranks.tolist(), strict=True))
    return [
        Standing(
            name=row["metric"],
            kind="human" if row["metric"] not in places else "new" if row["mine"] else "stored",
            spa=row["spa"],
            pa=row["pa"],
            n_agree=row["n_agreements"],
            n_pairs=row["n_pairs"],
            place=places.get(row["metric"]),
            cluster=ranks.get(row["metric"]),
        )
        for row in scores
    ]


def _best_first(standing: Standing) -> tuple[float, str]:
    return -standing.spa, standing.name


def _contests(
    metric: int, standings: list[Standing], tests: PairTests, adjusted: FloatArray, alpha: float
) -> tuple[Contest, ...]:
    """Return the contests of one metric, best rivals first."""
    others = [other for other in range(len(standings)) if other != metric]
    contests = []
    for other in sorted(others, key=lambda other: _best_first(standings[other])):
        difference = standings[metric].spa - standings[other].spa
        outcome = "better" if difference > 0.0 else "worse"
        contests.append(
            Contest(
                other=standings[other].name,
                difference=difference,
                pvalue=float(tests.pvalues[metric, other]),
                low=float(tests.low[metric, other]),
                high=float(tests.high[metric, other]),
                adjusted=float(adjusted[other]),
                outcome=outcome if adjusted[other] <= alpha else "open",
            )
        )
    return tuple(contests)
