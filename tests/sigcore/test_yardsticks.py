"""Second ratings and corpus-level scores beside metrics, and what the report says about them."""

import numpy as np
import numpy.typing as npt
import pytest

from sigcore.errors import InputError
from sigcore.evalset import EvalSet, Metric
from sigcore.io.schemas import SCHEMAS, table_of
from sigcore.meta.ceiling import human_ceiling
from sigcore.meta.registry import meta_metric
from sigcore.meta.yardsticks import score_corpus_metrics, score_ratings
from sigcore.report.yardsticks import yardsticks_section

FloatArray = npt.NDArray[np.float64]


@pytest.fixture
def evalset() -> EvalSet:
    rng = np.random.default_rng(5)
    quality = rng.normal(0.0, 0.3, size=(5, 1)) + rng.normal(size=(5, 60))
    scores = quality + rng.normal(size=(2, *quality.shape))
    scores[1, 0, 7] = np.nan
    gold = np.rint(2.0 * (quality + rng.normal(size=quality.shape)))
    return EvalSet(
        testset="t",
        language_pair="a-b",
        gold_name="esa-1",
        systems=tuple("vwxyz"),
        human_systems=(),
        segments=np.arange(60),
        documents=None,
        gold=gold,
        metrics=(Metric("one", "one", "src"), Metric("two", "two", "refA")),
        scores=scores,
    )


def second(evalset: EvalSet) -> FloatArray:
    rng = np.random.default_rng(6)
    ratings = np.rint(evalset.gold + rng.normal(size=evalset.gold.shape))
    ratings[4] = np.nan  # nobody of the second group saw this system
    ratings[1, 20:25] = np.nan
    return ratings


def test_people_are_scored_as_the_ceiling_and_metrics_on_the_same_translations(
    evalset: EvalSet,
) -> None:
    ratings = second(evalset)
    people, one, two = score_ratings(evalset, "esa-2", ratings)
    # The segment that metric two lacks is left out for all, beside the five without ratings.
    keep = np.delete(np.arange(60), [7, *range(20, 25)])
    ceiling = human_ceiling(evalset.gold[:4, keep], ratings[:4, keep])
    assert (people.spa, people.pa) == (ceiling.spa, ceiling.pa)
    assert (people.kind, people.scorer, people.ratings) == ("people", "esa-2", "esa-2")
    assert (people.n_systems, people.n_segments) == (4, 54)
    assert (people.n_systems_left_out, people.n_segments_left_out) == (1, 6)
    for row, metric in ((one, evalset.scores[0]), (two, evalset.scores[1])):
        for name in ("spa", "pa", "acc-eq"):
            direct = meta_metric(name)(evalset.gold[:4, keep], metric[:4, keep]).value
            assert getattr(row, name.replace("-", "_")) == pytest.approx(direct, abs=1e-12)
    rows = [each.to_record() for each in (people, one, two)]
    assert table_of("yardsticks", rows).schema == SCHEMAS["yardsticks"]


def test_ratings_that_share_nothing_are_refused(evalset: EvalSet) -> None:
    nothing = np.full(evalset.gold.shape, np.nan)
    with pytest.raises(InputError, match="t a-b: no segment has both esa-1 and esa-2 ratings"):
        score_ratings(evalset, "esa-2", nothing)
    with pytest.raises(InputError, match=r"`ratings` must have shape \(5, 60\)"):
        score_ratings(evalset, "esa-2", nothing[:, 1:])


def test_corpus_scores_are_those_of_sacrebleu(evalset: EvalSet) -> None:
    metrics = pytest.importorskip("sacrebleu.metrics")
    rng = np.random.default_rng(7)
    words = np.array(["the", "cat", "sat", "on", "a", "mat", "and", "dog"])
    reference = [" ".join(rng.choice(words, 8)) for _ in range(60)]
    noise = np.array([0.1, 0.2, 0.3, 0.4, 0.5])
    outputs = [
        [
            " ".join(rng.choice(words) if rng.random() < share else word for word in text.split())
            for text in reference
        ]
        for share in noise
    ]
    (bleu,) = score_corpus_metrics(evalset, outputs, [reference], names=["bleu"], n_resamples=200)
    scores = [metrics.BLEU().corpus_score(text, [reference]).score for text in outputs]
    people = evalset.gold.mean(axis=1)
    agree = sum(
        np.sign(people[i] - people[j]) == np.sign(scores[i] - scores[j])
        for i in range(5)
        for j in range(i)
    )
    assert (bleu.n_agreements, bleu.n_pairs, bleu.acc_eq) == (agree, 10, None)
    assert (bleu.scorer, bleu.kind, bleu.ratings) == ("BLEU (corpus)", "corpus", None)
    assert 0.0 <= bleu.spa <= 1.0


def test_the_section_lists_scorers_best_first_with_what_was_left_out(evalset: EvalSet) -> None:
    rows = [each.to_record() for each in score_ratings(evalset, "esa-2", second(evalset))]
    html = yardsticks_section({"t a-b": rows}, ["t c-d has no file c-d.esa-2.seg.score."])
    assert "t a-b, translations with esa-2: 4 systems, 54 segments" in html
    assert "left out: 1 system, 6 segments." in html
    assert "t c-d has no file" in html
    best = max(rows, key=lambda row: row["spa"])  # type: ignore[arg-type, return-value]
    names = [name for name in ("esa-2", "one", "two") if f"<td>{name}</td>" in html]
    assert sorted(names, key=lambda name: html.index(f"<td>{name}</td>"))[0] == best["scorer"]
