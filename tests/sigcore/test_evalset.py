"""Evaluation sets: consistency, labels of metrics, and the rules of selection."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sigcore.errors import DataFileError, InputError, ScoreError
from sigcore.evalset import (
    EvalSet,
    LeftOut,
    Metric,
    Selection,
    left_out_sentences,
    select,
    unique_labels,
)
from sigcore.testsets import PairFacts

NAN = np.nan
SYSTEMS = ("mt1", "mt2", "mt3", "odd", "refA", "refB", "unrated")
FACTS = PairFacts(
    testset="t",
    language_pair="en-de",
    reference="refA",
    gold="mqm",
    outliers=("odd",),
    human_systems=False,
    references=("refA",),
    primary_metrics=("BLEU", "QE"),
    baseline_metrics=("BLEU",),
)


def metric(base: str, reference: str, **values: Any) -> Metric:
    identifier = f"{base}-{reference}" if reference else base
    return Metric(identifier, base, reference, source=f"{identifier}.seg.score", **values)


METRICS = unique_labels(
    [
        metric("BLEU", "refA", primary=True, baseline=True),
        metric("BLEU", "refB", primary=True, baseline=True),
        metric("QE", "src", primary=True),
        metric("multi", "refA.refB"),
        metric("every", "all"),
        metric("new", "refA"),
    ]
)


def make(**changes: Any) -> EvalSet:
    """Make a set of 7 systems x 4 segments; mt3 has no gold on the last segment."""
    gold = np.arange(28.0).reshape(7, 4)
    gold[SYSTEMS.index("unrated")] = NAN
    gold[SYSTEMS.index("mt3"), 3] = NAN
    scores = 100.0 * np.arange(len(METRICS))[:, None, None] + np.arange(28.0).reshape(7, 4)
    for index, entry in enumerate(METRICS):
        if entry.reference == "refA":
            scores[index, SYSTEMS.index("refA")] = NAN
    values: dict[str, Any] = {
        "testset": "t",
        "language_pair": "en-de",
        "gold_name": "mqm",
        "systems": SYSTEMS,
        "human_systems": ("refA", "refB"),
        "segments": np.array([0, 1, 2, 3]),
        "documents": ("d1", "d1", "d2", "d2"),
        "gold": gold,
        "metrics": tuple(METRICS),
        "scores": scores,
    }
    return EvalSet(**(values | changes))


def with_gap(identifier: str, system: str, segment: int | slice) -> EvalSet:
    """Take away scores of a metric."""
    full = make()
    scores = full.scores.copy()
    index = [entry.identifier for entry in full.metrics].index(identifier)
    scores[index, SYSTEMS.index(system), segment] = NAN
    return make(scores=scores)


def reasons(left_out: tuple[LeftOut, ...], kind: str) -> dict[str, str]:
    return {entry.name: entry.reason for entry in left_out if entry.kind == kind}


def test_official_selection_takes_the_standard_reference_and_mt_systems() -> None:
    chosen, left_out = select(make(), Selection(), FACTS)
    assert chosen.systems == ("mt1", "mt2", "mt3")
    assert chosen.metric_names == ("BLEU", "QE", "new")
    assert list(chosen.segments) == [0, 1, 2]
    assert chosen.documents == ("d1", "d1", "d2")
    assert chosen.human_systems == ()
    assert reasons(left_out, "system") == {
        "odd": "an outlier by the official facts",
        "refA": "the reference that metrics use",
        "refB": "a human translation",
        "unrated": "no mqm score",
    }
    assert reasons(left_out, "metric") == {
        "BLEU-refB": "uses refB, not refA",
        "every-all": "uses all, not refA",
        "multi-refA.refB": "uses refA.refB, not refA",
    }
    assert LeftOut("segment", "mqm", "no gold score for every system", 1) in left_out


def test_scores_stay_with_their_metric_system_and_segment() -> None:
    full = make()
    chosen, _ = select(full, Selection(human_systems=True), FACTS)
    for m, entry in enumerate(chosen.metrics):
        source = next(i for i, e in enumerate(full.metrics) if e.identifier == entry.identifier)
        for s, system in enumerate(chosen.systems):
            row = full.systems.index(system)
            expected = full.scores[source, row][chosen.segments]
            np.testing.assert_array_equal(chosen.scores[m, s], expected)
            np.testing.assert_array_equal(chosen.gold[s], full.gold[row][chosen.segments])


def test_complete_segments_have_no_gap() -> None:
    chosen, _ = select(make(), Selection(human_systems=True, outliers=True), FACTS)
    assert not np.isnan(chosen.gold).any()
    assert not np.isnan(chosen.scores).any()


def test_human_translations_enter_when_asked_for_or_official() -> None:
    asked, _ = select(make(), Selection(human_systems=True), FACTS)
    official, _ = select(make(), Selection(), replace(FACTS, human_systems=True))
    refused, _ = select(make(), Selection(human_systems=False), replace(FACTS, human_systems=True))
    assert asked.systems == official.systems == ("mt1", "mt2", "mt3", "refB")
    assert asked.human_systems == ("refB",)
    assert refused.systems == ("mt1", "mt2", "mt3")


def test_outliers_enter_when_asked_for() -> None:
    chosen, _ = select(make(), Selection(outliers=True), FACTS)
    assert chosen.systems == ("mt1", "mt2", "mt3", "odd")


def test_metrics_without_reference_can_be_switched_off() -> None:
    chosen, left_out = select(make(), Selection(reference_free=False), FACTS)
    assert chosen.metric_names == ("BLEU", "new")
    assert reasons(left_out, "metric")["QE-src"] == "uses no reference"


def test_only_primary_metrics_if_there_is_a_list() -> None:
    chosen, left_out = select(make(), Selection(primary_only=True), FACTS)
    assert chosen.metric_names == ("BLEU", "QE")
    assert reasons(left_out, "metric")["new-refA"] == "neither a primary metric nor a baseline"
    everything, _ = select(make(), Selection(primary_only=True), replace(FACTS, primary_metrics=()))
    assert everything.metric_names == ("BLEU", "QE", "new")


def test_another_reference_changes_metrics_and_systems() -> None:
    chosen, _ = select(make(), Selection(reference="refB", human_systems=True), FACTS)
    assert chosen.systems == ("mt1", "mt2", "mt3", "refA")
    assert [entry.identifier for entry in chosen.metrics] == ["BLEU-refB", "QE-src"]


def test_several_references_keep_metrics_that_use_any_of_them() -> None:
    chosen, _ = select(make(), Selection(reference="refA.refB", human_systems=True), FACTS)
    assert chosen.systems == ("mt1", "mt2", "mt3")
    assert chosen.metric_names == ("BLEU-refA", "BLEU-refB", "QE", "multi", "new")


def test_all_references_keep_metrics_that_use_all() -> None:
    chosen, _ = select(make(), Selection(reference="all", human_systems=True), FACTS)
    assert chosen.systems == ("mt1", "mt2", "mt3")
    assert "every" in chosen.metric_names


def test_asked_for_metrics_are_taken_by_base_name_or_identifier() -> None:
    by_base, left_out = select(make(), Selection(metrics=("BLEU", "new")), FACTS)
    assert [entry.identifier for entry in by_base.metrics] == ["BLEU-refA", "new-refA"]
    assert reasons(left_out, "metric")["QE-src"] == "not asked for"
    by_identifier, _ = select(make(), Selection(metrics=("BLEU-refB", "QE")), FACTS)
    assert [entry.identifier for entry in by_identifier.metrics] == ["BLEU-refB", "QE-src"]


@pytest.mark.parametrize("name", ["BLUE", "every", "multi"])
def test_an_asked_for_metric_that_selects_nothing_is_refused(name: str) -> None:
    with pytest.raises(InputError, match=rf"`metrics` names '{name}'.*BLEU-refA"):
        select(make(), Selection(metrics=("BLEU", name)), FACTS)


def test_a_users_metric_is_always_kept() -> None:
    metrics = [replace(entry, extra=entry.base == "every") for entry in METRICS]
    for selection in (
        Selection(),
        Selection(primary_only=True),
        Selection(metrics=("BLEU",)),
        Selection(reference_free=False),
    ):
        chosen, _ = select(make(metrics=tuple(metrics)), selection, FACTS)
        assert "every" in chosen.metric_names


def test_an_unknown_reference_lists_the_known_ones() -> None:
    with pytest.raises(InputError, match="one of all, refA, refB; got 'refZ'"):
        select(make(), Selection(reference="refZ"), FACTS)


def test_pairwise_segments_keep_gaps_in_the_gold() -> None:
    chosen, left_out = select(make(), Selection(segments="pairwise"), FACTS)
    assert list(chosen.segments) == [0, 1, 2, 3]
    assert np.isnan(chosen.gold).sum() == 1
    assert not [entry for entry in left_out if entry.kind == "segment"]
    gold = make().gold.copy()
    gold[[0, 1], 2] = NAN
    fewer, left_out = select(make(gold=gold), Selection(segments="pairwise"), FACTS)
    assert list(fewer.segments) == [0, 1, 3]
    assert LeftOut("segment", "mqm", "no gold score for two systems", 1) in left_out


def test_a_metric_without_a_system_is_an_error_that_names_file_and_system() -> None:
    with pytest.raises(DataFileError) as caught:
        select(with_gap("new-refA", "mt2", slice(None)), Selection(), FACTS)
    assert str(caught.value) == (
        "new-refA.seg.score: expected a score wherever there is gold; 3 of 9 are missing, "
        "3 of them of system 'mt2'. A share of gaps may be allowed "
        "(`max_missing`), or such metrics left out (`incomplete_metrics`)."
    )


def test_the_error_points_to_systems_that_no_other_file_has() -> None:
    full = make()
    scores = full.scores.copy()
    new = full.metric_index("new")
    unrated = SYSTEMS.index("unrated")
    scores[:, unrated] = NAN
    scores[new, unrated] = 1.0
    scores[new, SYSTEMS.index("mt2")] = NAN
    with pytest.raises(DataFileError, match=r"'mt2'; no other file has 'unrated'\."):
        select(make(scores=scores), Selection(), FACTS)


def test_a_system_that_the_gold_does_not_name_is_an_error_unless_allowed() -> None:
    gold = make().gold.copy()
    gold[SYSTEMS.index("mt2")] = NAN
    lacking = make(gold=gold, unlisted=("mt2",), gold_source="en-de.mqm.seg.score")
    with pytest.raises(ScoreError) as caught:
        select(lacking, Selection(), FACTS)
    assert str(caught.value) == (
        "en-de.mqm.seg.score: 6 of 6 metrics score it. If nobody rated it, it can be left out "
        "(`unlisted_systems`)."
    )
    assert caught.value.system == "mt2"
    chosen, left_out = select(lacking, Selection(unlisted_systems="leave-out"), FACTS)
    assert chosen.systems == ("mt1", "mt3")
    assert reasons(left_out, "system")["mt2"] == "not in the file of mqm scores"


def test_outliers_references_and_unscored_systems_may_be_unlisted() -> None:
    gold, scores = make().gold.copy(), make().scores.copy()
    rows = [SYSTEMS.index(name) for name in ("odd", "refA", "refB", "unrated")]
    gold[rows], scores[:, SYSTEMS.index("unrated")] = NAN, NAN
    names = tuple(SYSTEMS[row] for row in rows)
    lacking = make(gold=gold, scores=scores, unlisted=names)
    chosen, _ = select(lacking, Selection(human_systems=True), FACTS)
    assert chosen.systems == ("mt1", "mt2", "mt3")


@pytest.mark.parametrize("segments", ["complete", "pairwise"])
def test_gold_that_tells_no_systems_apart_is_refused(segments: str) -> None:
    gold = np.where(np.isnan(make().gold), NAN, np.arange(4.0))
    with pytest.raises(DataFileError, match=r"mqm: all 3 systems have the same score on each of"):
        select(make(gold=gold), Selection(segments=segments), FACTS)
    gold[0, 0] = 7.0
    chosen, _ = select(make(gold=gold), Selection(segments=segments), FACTS)
    assert chosen.n_systems == 3


def test_an_incomplete_metric_can_be_left_out() -> None:
    gap = with_gap("new-refA", "mt2", 1)
    chosen, left_out = select(gap, Selection(incomplete_metrics="leave-out"), FACTS)
    assert chosen.metric_names == ("BLEU", "QE")
    assert "1 of 9 are missing" in reasons(left_out, "metric")["new-refA"]


def test_a_gap_where_nothing_was_selected_does_not_matter() -> None:
    for system, segment in (("odd", 1), ("refB", slice(None)), ("mt1", 3)):
        chosen, _ = select(with_gap("new-refA", system, segment), Selection(), FACTS)
        assert "new" in chosen.metric_names


def test_tolerated_gaps_drop_the_segment_for_all_metrics() -> None:
    gap = with_gap("new-refA", "mt2", 1)
    chosen, left_out = select(gap, Selection(max_missing=0.2), FACTS)
    assert list(chosen.segments) == [0, 2]
    assert not np.isnan(chosen.scores).any()
    assert LeftOut("segment", "mqm", "no score by some metric", 1) in left_out


def test_a_metric_may_lack_exactly_the_tolerated_share() -> None:
    segments = np.arange(100)
    gold, scores = np.arange(200.0).reshape(2, 100), np.ones((1, 2, 100))
    scores[0, 0, :58] = NAN  # 0.29 * 200 is less than 58 in floats
    metric = Metric(name="m", base="m", reference="refA")
    evalset = EvalSet("t", "en-de", "mqm", ("x", "y"), (), segments, None, gold, (metric,), scores)
    chosen, _ = select(evalset, Selection(max_missing=0.29), FACTS)
    assert chosen.n_segments == 42
    with pytest.raises(DataFileError, match=r"58 of 200 are missing, more than .* 0\.28 that"):
        select(evalset, Selection(max_missing=0.28), FACTS)


def test_tolerated_gaps_stay_in_pairwise_selection() -> None:
    gap = with_gap("new-refA", "mt2", 1)
    chosen, left_out = select(gap, Selection(max_missing=0.2, segments="pairwise"), FACTS)
    assert list(chosen.segments) == [0, 1, 2, 3]
    assert np.isnan(chosen.scores).sum() == 1
    assert LeftOut("cell", "new-refA", "no metric score", 1) in left_out


def test_a_metric_need_not_score_what_has_no_gold() -> None:
    chosen, _ = select(with_gap("new-refA", "mt3", 3), Selection(segments="pairwise"), FACTS)
    assert "new" in chosen.metric_names


def test_too_little_left_says_why() -> None:
    gold = make().gold.copy()
    gold[1:] = NAN
    with pytest.raises(InputError, match=r"At least 2 systems .* 1 of 7 .*mt2 \(no mqm score\)"):
        select(make(gold=gold), Selection(), FACTS)
    gold = make().gold.copy()
    gold[0, :2] = NAN
    gold[1, 2:] = NAN
    with pytest.raises(InputError, match="No segment of t en-de has a mqm score for each of the 3"):
        select(make(gold=gold), Selection(), FACTS)
    only = make(metrics=(METRICS[1],), scores=make().scores[1:2])
    with pytest.raises(InputError, match=r"No metric is left of 1 .*BLEU-refB \(uses refB"):
        select(only, Selection(), FACTS)
    empty = make(scores=np.full_like(make().scores, NAN))
    with pytest.raises(InputError, match="No metric of t en-de has its scores"):
        select(empty, Selection(incomplete_metrics="leave-out"), FACTS)
    scores = make().scores.copy()
    new = make().metric_index("new")
    scores[new, [0, 1, 2], [0, 1, 2]] = NAN
    with pytest.raises(InputError, match="No segment of t en-de has a score by every metric"):
        select(make(scores=scores), Selection(max_missing=0.5), FACTS)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"segments": "all"}, "`segments` must be one of 'complete', 'pairwise'; got 'all'"),
        ({"incomplete_metrics": "drop"}, "`incomplete_metrics` must be"),
        ({"unlisted_systems": "drop"}, "`unlisted_systems` must be"),
        ({"max_missing": 1.0}, "`max_missing` must be"),
        ({"max_missing": NAN}, "`max_missing` must be"),
    ],
)
def test_a_selection_refuses_unknown_choices(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Selection(**options)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"gold": np.zeros((7, 3))}, r"`gold` must have shape \(7, 4\); got \(7, 3\)"),
        ({"gold": np.full((7, 4), np.inf)}, "`gold` must not contain infinity"),
        ({"scores": np.zeros((1, 7, 4))}, r"`scores` must have shape \(6, 7, 4\)"),
        ({"documents": ("d",)}, "`documents` must name one document for each of 4"),
        ({"systems": SYSTEMS[::-1]}, "`systems` must be sorted"),
        ({"systems": ("mt1", *SYSTEMS[:-1])}, "`systems` must be sorted by name, each once"),
        ({"metrics": tuple(METRICS[::-1])}, "`metrics` must be sorted"),
        ({"human_systems": ("nobody",)}, "`human_systems` must be systems"),
    ],
)
def test_an_inconsistent_set_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        make(**changes)


def test_counts_mask_and_index() -> None:
    full = make()
    assert (full.n_metrics, full.n_systems, full.n_segments) == full.scores.shape
    assert full.mask.sum() == 7 * 4 - 5
    assert full.metric_names[full.metric_index("QE")] == "QE"
    with pytest.raises(InputError, match="`metric` must be one of BLEU-refA"):
        full.metric_index("qe")


def test_a_base_name_is_the_label_only_if_nothing_else_has_it() -> None:
    labelled = unique_labels(
        [metric("X", "refA"), metric("X", "refB"), metric("X-refA", "src"), metric("Y", "src")]
    )
    assert [entry.name for entry in labelled] == ["X-refA", "X-refA-src", "X-refB", "Y"]


@given(
    st.sets(
        st.tuples(st.sampled_from(["X", "X-refA", "X-src"]), st.sampled_from(["refA", "src", ""])),
        min_size=1,
    )
)
@settings(deadline=None, derandomize=True)
def test_labels_are_unique_whenever_identifiers_are(pairs: set[tuple[str, str]]) -> None:
    metrics = {entry.identifier: entry for entry in (metric(*pair) for pair in sorted(pairs))}
    labels = [entry.name for entry in unique_labels(metrics.values())]
    assert len(set(labels)) == len(metrics)
    assert labels == sorted(labels)


def test_what_was_left_out_is_one_sentence_with_names_and_counts() -> None:
    assert left_out_sentences([]) == []
    left_out = [
        LeftOut("system", "refA", "the reference that metrics use"),
        *(LeftOut("metric", f"M{number}", "uses no reference") for number in range(8)),
        LeftOut("metric", "gappy", "expected a score."),
        LeftOut("segment", "mqm", "no gold", 7),
    ]
    assert left_out_sentences(left_out) == [
        "Left out: refA (the reference that metrics use), 8 metrics (uses no reference: M0, M1, "
        "M2, M3, M4 and 3 more), metric gappy (expected a score), 7 segments (no gold)."
    ]
