"""Places, contests and what is listed without a place."""

from dataclasses import replace

import numpy as np
import pytest

from sigcore.errors import DegenerateDataWarning, InputError
from sigcore.evalset import EvalSet, Metric
from sigcore.meta.clusters import greedy_clusters
from sigcore.meta.placement import Standing, place_metrics
from sigcore.meta.significance import compare_metrics
from sigcore.meta.spa import soft_pairwise_accuracy
from sigcore.report.placement import placement_sentences

N_STORED = 7


@pytest.fixture
def evalset():
    """Seven metrics from good to bad, and `mine`, a copy of the third."""
    rng = np.random.default_rng(0)
    quality = rng.normal(0.0, 0.3, size=(6, 1)) + rng.normal(size=(6, 80))
    noise = np.linspace(0.2, 4.0, N_STORED)[:, None, None]
    scores = quality + noise * rng.normal(size=(N_STORED, 6, 80))
    stored = [f"a{number}" for number in range(N_STORED)]
    return EvalSet(
        testset="t",
        language_pair="a-b",
        gold_name="gold",
        systems=tuple("abcdef"),
        human_systems=(),
        segments=np.arange(80),
        documents=None,
        gold=np.rint(3 * quality),
        metrics=(
            *(Metric(name=name, base=name, reference="refA") for name in stored),
            Metric(name="mine", base="mine", reference="", extra=True),
        ),
        scores=np.concatenate([scores, scores[2:3]]),
    )


def test_a_copy_ties_with_its_original(evalset):
    ranking = place_metrics(evalset, ["mine"])
    (placement,) = ranking.placements
    lines = {line.name: line for line in ranking.standings}
    mine, original = lines["mine"], lines["a2"]
    assert placement.standing == mine
    assert mine.kind == "new"
    assert original.kind == "stored"
    assert (mine.spa, mine.pa, mine.place) == (original.spa, original.pa, original.place)
    assert mine.cluster == original.cluster
    contest = next(contest for contest in placement.contests if contest.other == "a2")
    assert (contest.difference, contest.pvalue, contest.outcome) == (0.0, 1.0, "open")


def test_a_metric_that_lacks_a_system_is_named(evalset):
    scores = evalset.scores.copy()
    scores[2, 4] = np.nan
    with pytest.raises(InputError, match=r"metric 'a2' must have scores .*; it has none of e"):
        place_metrics(replace(evalset, scores=scores), ["mine"])
    scores = evalset.scores.copy()
    scores[2, np.arange(80) % 6, np.arange(80)] = np.nan
    with pytest.raises(InputError, match=r"metric 'a2' .*; each lacks one of some system"):
        place_metrics(replace(evalset, scores=scores), ["mine"])
    scores = evalset.scores.copy()
    scores[1, 0, :40] = scores[2, 3, 40:] = np.nan
    with pytest.raises(InputError, match=r"No segment of .* has a score by every metric"):
        place_metrics(replace(evalset, scores=scores), ["mine"])


def test_scores_clusters_and_p_values_are_those_of_the_library(evalset):
    ranking = place_metrics(evalset, ["mine"], n_resamples=400, seed=3)
    spa = [soft_pairwise_accuracy(evalset.gold, scores).value for scores in evalset.scores]
    full = compare_metrics(
        evalset.gold, evalset.scores, n_resamples=400, seed=3, purpose=("t", "a-b")
    )["spa"]
    ranks = greedy_clusters(spa, full.pvalues, names=evalset.metric_names).ranks
    for line in ranking.standings:
        index = evalset.metric_index(line.name)
        assert line.spa == pytest.approx(spa[index], abs=1e-15)
        assert line.cluster == ranks[index]
        assert line.place == 1 + sum(value > spa[index] for value in spa)
    assert [line.spa for line in ranking.standings] == sorted(spa, reverse=True)
    assert (ranking.n_ranked, ranking.n_clusters) == (8, max(ranks))
    for contest in ranking.placements[0].contests:
        index = evalset.metric_index(contest.other)
        assert contest.pvalue == contest.adjusted == full.pvalues[-1, index]
        assert (contest.low, contest.high) == (
            full.interval_low[-1, index],
            full.interval_high[-1, index],
        )


def test_outcomes_follow_p_and_the_sign_of_the_difference(evalset):
    (placement,) = place_metrics(evalset, ["a3"], alpha=0.1).placements
    for contest in placement.contests:
        if contest.pvalue > 0.1:
            assert contest.outcome == "open"
        else:
            assert contest.outcome == ("better" if contest.difference > 0 else "worse")
    counts = [placement.count(outcome) for outcome in ("better", "worse", "open")]
    assert sum(counts) == N_STORED
    assert counts[0] > 0
    assert counts[2] < N_STORED


def test_adjusted_p_values_decide_when_asked_for(evalset):
    (plain,) = place_metrics(evalset, ["mine"]).placements
    ranking = place_metrics(evalset, ["mine"], adjust="bonferroni")
    (adjusted,) = ranking.placements
    for one, other in zip(plain.contests, adjusted.contests, strict=True):
        assert other.adjusted == pytest.approx(min(1.0, N_STORED * one.pvalue))
    assert ranking.adjust == "bonferroni"
    assert adjusted.count("open") >= plain.count("open")
    assert adjusted.standing == plain.standing
    (largest,) = place_metrics(evalset, ["mine"], adjust="maxt").placements
    assert all(contest.adjusted >= contest.pvalue for contest in largest.contests)


def test_human_ratings_are_compared_but_take_no_place(evalset):
    without = place_metrics(evalset, ["mine"])
    rng = np.random.default_rng(9)
    ratings = evalset.gold + np.rint(rng.normal(size=evalset.gold.shape))
    human = Metric(name="human: two", base="human: two", reference="", extra=True)
    added = replace(
        evalset,
        metrics=(*evalset.metrics[:-1], human, evalset.metrics[-1]),
        scores=np.insert(evalset.scores, N_STORED, ratings, axis=0),
    )
    ranking = place_metrics(added, ["mine"], human=["human: two"])
    (line,) = (line for line in ranking.standings if line.kind == "human")
    assert (line.place, line.cluster) == (None, None)
    assert line.spa == soft_pairwise_accuracy(evalset.gold, ratings).value
    metrics = [line for line in ranking.standings if line.kind != "human"]
    assert tuple(metrics) == without.standings
    assert "human: two" in [contest.other for contest in ranking.placements[0].contests]
    with pytest.raises(InputError, match="must differ"):
        place_metrics(added, ["mine"], human=["mine"])


def test_unranked_lines_stand_where_their_score_puts_them(evalset):
    line = Standing("BLEU (corpus)", "corpus", 0.7, 0.6, 9, 15)
    ranking = place_metrics(evalset, ["mine"], unranked=[line])
    position = ranking.standings.index(line)
    assert all(other.spa >= 0.7 for other in ranking.standings[:position])
    assert all(other.spa <= 0.7 for other in ranking.standings[position:])
    assert ranking.n_ranked == 8


def test_several_metrics_can_be_placed_or_none(evalset):
    ranking = place_metrics(evalset, ["mine", "a0", "mine"], n_disagreements=2)
    assert [placement.standing.name for placement in ranking.placements] == ["mine", "a0"]
    assert [len(placement.disagreements) for placement in ranking.placements] == [2, 2]
    assert place_metrics(evalset, []).placements == ()


def test_a_single_metric_is_first(evalset):
    alone = replace(evalset, metrics=evalset.metrics[-1:], scores=evalset.scores[-1:])
    for adjust in ("none", "maxt"):
        ranking = place_metrics(alone, ["mine"], adjust=adjust)
        assert ranking.placements[0].contests == ()
        assert (ranking.standings[0].place, ranking.standings[0].cluster) == (1, 1)


def test_a_constant_metric_has_open_contests(evalset):
    scores = evalset.scores.copy()
    scores[-1] = 1.5
    with pytest.warns(DegenerateDataWarning, match="mine"):
        ranking = place_metrics(replace(evalset, scores=scores), ["mine"])
    (placement,) = ranking.placements
    assert placement.count("open") == N_STORED
    assert all(np.isnan(contest.pvalue) for contest in placement.contests)
    told = placement_sentences(placement, ranking)[2]
    assert told.endswith(f"not told apart from 0; no p-value against {N_STORED}.")


def test_the_record_is_made_of_plain_values(evalset):
    record = place_metrics(evalset, ["mine"], n_resamples=50).to_record()
    assert record["standings"][0]["place"] == 1
    assert record["placements"][0]["standing"]["name"] == "mine"
    assert len(record["placements"][0]["disagreements"]) == 10
    assert record["scheme"] == "perm-inputs"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"alpha": 1.0}, "`alpha`"),
        ({"adjust": "sidak"}, "`adjust`"),
        ({"n_disagreements": -1}, "`n_disagreements`"),
        ({"n_resamples": 0}, "`n_resamples`"),
    ],
)
def test_bad_options_are_refused(evalset, change, message):
    with pytest.raises(InputError, match=message):
        place_metrics(evalset, ["mine"], **change)


def test_an_unknown_metric_is_refused(evalset):
    with pytest.raises(InputError, match="got 'yours'"):
        place_metrics(evalset, ["yours"])
