"""Simulated sets: the shape that was promised, the truth that was promised, the same bytes."""

import hashlib
import json
import math
from pathlib import Path

import numpy as np
import pytest

from sigcore.errors import InputError
from sigcore.evalset import EvalSet, Selection, select
from sigcore.io.mtme import read_evalset, read_scores
from sigcore.meta.significance import compare_metrics
from sigcore.simulate import (
    SimulatedPair,
    SimulationSpec,
    default_spec,
    file_names,
    scale_spec,
    write_evalset_files,
)
from sigcore.simulation_model import METRICS, OUTLIER, UNRATED, simulate_pair
from sigcore.testsets import load_testset

SMALL = SimulationSpec(
    "sim",
    3,
    (
        SimulatedPair("en-de", 6, 90, 60, 8, n_partial=10),
        SimulatedPair("he-en", 4, 40, 40, 3, human_reference=False),
    ),
)


@pytest.fixture(scope="module")
def default_root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("default")
    write_evalset_files(default_spec(), root)
    return root


def selected(root: Path, pair: str) -> EvalSet:
    facts = load_testset("simulated", root=root).facts(pair)
    return select(read_evalset(root, "simulated", pair), Selection(), facts)[0]


def digest(paths: list[Path]) -> str:
    whole = hashlib.sha256()
    for path in paths:
        whole.update(path.read_bytes())
    return whole.hexdigest()


def soft_pairwise_accuracy(gold: np.ndarray, scores: np.ndarray) -> float:
    """SPA from the normal approximation of the sign-flip p-value, by the textbook."""
    total, count = 0.0, 0
    for i in range(len(gold)):
        for j in range(i):
            p = []
            for matrix in (gold, scores):
                difference = matrix[i] - matrix[j]
                z = difference.sum() / math.sqrt((difference**2).sum())
                p.append(0.5 * math.erfc(z / math.sqrt(2)))
            total += 1 - abs(p[0] - p[1])
            count += 1
    return total / count


# --- what is promised -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pair", "shape", "n_reference_free"),
    [
        ("en-de", (14, 1315, 21), 5),
        ("zh-en", (15, 1875, 21), 5),
        ("he-en", (12, 460, 25), 7),
    ],
)
def test_default_set_has_the_promised_shape_after_official_selection(
    default_root: Path, pair: str, shape: tuple[int, int, int], n_reference_free: int
) -> None:
    evalset = selected(default_root, pair)
    assert (evalset.n_systems, evalset.n_segments, evalset.n_metrics) == shape
    assert sum(metric.reference_free for metric in evalset.metrics) == n_reference_free


def test_files_are_those_that_were_named(default_root: Path, tmp_path: Path) -> None:
    seen: list[str] = []
    paths = write_evalset_files(SMALL, tmp_path, progress=seen.append)
    assert [str(path.relative_to(tmp_path)) for path in paths] == file_names(SMALL) == seen
    found = [str(p.relative_to(default_root)) for p in default_root.rglob("*") if p.is_file()]
    assert sorted(found) == sorted(file_names(default_spec()))


def test_same_seed_gives_the_same_bytes_and_another_seed_others(tmp_path: Path) -> None:
    first = digest(write_evalset_files(SMALL, tmp_path / "a"))
    # Recorded, so that a machine or a version of numpy that gives other bytes is noticed.
    assert first.startswith("e7a71f552b8e5182")
    assert digest(write_evalset_files(SMALL, tmp_path / "b")) == first
    other = SimulationSpec(SMALL.testset, 4, SMALL.pairs)
    assert digest(write_evalset_files(other, tmp_path / "c")) != first


def test_a_pair_does_not_depend_on_the_others_or_on_the_number_of_metrics(tmp_path: Path) -> None:
    write_evalset_files(SMALL, tmp_path / "both")
    alone = SimulationSpec("sim", 3, (SimulatedPair("en-de", 6, 90, 60, 9, n_partial=10),))
    write_evalset_files(alone, tmp_path / "one")
    name = "metric-scores/en-de/SimNeural-XL-refA.seg.score"
    for file in ("human-scores/en-de.mqm.seg.score", name):
        both = read_scores(tmp_path / "both" / "sim" / file).scores
        one = read_scores(tmp_path / "one" / "sim" / file).scores
        assert both.keys() == one.keys()
        for system, scores in both.items():
            np.testing.assert_array_equal(scores, one[system])


def test_standard_reference_has_gold_but_no_score_against_itself(default_root: Path) -> None:
    evalset = read_evalset(default_root, "simulated", "en-de")
    row = evalset.systems.index("refA")
    assert np.isfinite(evalset.gold[row]).sum() == 1315
    for metric, scores in zip(evalset.metrics, evalset.scores, strict=True):
        assert np.isfinite(scores[row]).all() == metric.reference_free
    assert np.isnan(evalset.gold[evalset.systems.index(UNRATED)]).all()
    assert evalset.human_systems == ("refA", "refB")


def test_gold_gaps_are_whole_documents_or_half_of_the_systems(default_root: Path) -> None:
    evalset = read_evalset(default_root, "simulated", "en-de")
    rated = np.isfinite(evalset.gold).sum(axis=0)
    assert sorted(set(rated.tolist())) == [0, 16]
    by_document: dict[str, set[int]] = {}
    for document, count in zip(evalset.documents or (), rated.tolist(), strict=True):
        by_document.setdefault(document, set()).add(count)
    assert all(len(counts) == 1 for counts in by_document.values())
    partial = np.isfinite(read_evalset(default_root, "simulated", "zh-en").gold).sum(axis=0)
    assert (partial == 17).sum() == 1875
    assert ((partial > 0) & (partial < 17)).sum() == 25


# --- like real data ---------------------------------------------------------------------------


def test_gold_is_mqm_like(default_root: Path) -> None:
    """Real WMT22 and WMT23: 57, 47 and 28 % perfect, 51, 42 and 23 % of pairs tied."""
    for pair, perfect, tied in (
        ("en-de", 0.57, 0.51),
        ("zh-en", 0.47, 0.42),
        ("he-en", 0.28, 0.23),
    ):
        gold = selected(default_root, pair).gold
        tenths = np.rint(gold * 10)
        np.testing.assert_allclose(gold * 10, tenths, atol=1e-9)
        assert tenths.max() == 0
        assert tenths.min() == -250
        assert abs((gold == 0).mean() - perfect) < 0.1
        upper = np.triu_indices(len(gold), 1)
        assert abs((gold[upper[0]] == gold[upper[1]]).mean() - tied) < 0.1


def test_some_systems_are_very_close_and_the_outlier_is_far(default_root: Path) -> None:
    for pair in ("en-de", "zh-en", "he-en"):
        truth = json.loads((default_root / "simulated" / "truth" / f"{pair}.json").read_text())
        quality = {system["name"]: system["quality"] for system in truth["systems"]}
        machine = [quality[name] for name in quality if name not in (OUTLIER, UNRATED)]
        gaps = np.diff(sorted(machine))
        assert (gaps < 0.01).sum() >= 3
        assert min(machine) - quality[OUTLIER] > 0.5
        gold = read_evalset(default_root, "simulated", pair)
        means = np.nanmean(gold.gold[[name != UNRATED for name in gold.systems]], axis=1)
        assert gold.systems[int(means.argmin())] == OUTLIER
        assert "refA" in quality
        assert [s["rank"] for s in truth["systems"] if s["name"] == "refA"] == [1]


def test_special_metrics_are_what_they_are_called(default_root: Path) -> None:
    evalset = selected(default_root, "en-de")
    scores = dict(zip(evalset.metric_names, evalset.scores, strict=True))
    np.testing.assert_array_equal(scores["SimTwin"], scores["SimEmbed.v2"])
    for name in ("SimJudge (5 shots)", "SimSpans"):
        assert (scores[name] == np.rint(scores[name])).all()
        assert -25 <= scores[name].min() < scores[name].max() == 0
    assert abs(np.corrcoef(scores["SimRandom"].ravel(), evalset.gold.ravel())[0, 1]) < 0.05
    distinct = [scores[name].tobytes() for name in evalset.metric_names if name != "SimTwin"]
    assert len(set(distinct)) == evalset.n_metrics - 1


def test_higher_is_better_in_every_metric_but_the_random_one(default_root: Path) -> None:
    for pair in ("en-de", "zh-en", "he-en"):
        evalset = selected(default_root, pair)
        for name, scores in zip(evalset.metric_names, evalset.scores, strict=True):
            correlation = np.corrcoef(scores.ravel(), evalset.gold.ravel())[0, 1]
            assert correlation > 0.08 or name == "SimRandom", name


# --- known truth ------------------------------------------------------------------------------


def test_mean_gold_follows_true_quality() -> None:
    pair = SimulatedPair("en-de", 12, 6000, 6000, 1)
    simulated = simulate_pair(pair, seed=1)
    rated = [name != UNRATED for name in simulated.systems]
    means = simulated.gold[rated].mean(axis=1)
    quality = simulated.quality[rated]
    order = np.argsort(quality)
    # Systems that are clearly apart are in the true order.
    for worse in order:
        for better in order:
            if quality[better] - quality[worse] > 0.15:
                assert means[better] > means[worse]


def test_correlation_of_two_metrics_is_the_product_of_their_reliabilities() -> None:
    """Spearman's attenuation formula: independent errors leave only the latent quality."""
    simulated = simulate_pair(SimulatedPair("en-de", 14, 8000, 8000, 25), seed=2)
    plain = {
        metric.reliability: scores.ravel()
        for metric, scores in zip(simulated.metrics, simulated.scores, strict=True)
        if metric.scale == "plain"
    }
    assert sorted(plain) == [0.0, 0.25, 0.60, 0.75, 0.85]
    for first, a in plain.items():
        for second, b in plain.items():
            if first < second:
                # 0.05 for the variance between systems, which is not in the formula.
                assert abs(np.corrcoef(a, b)[0, 1] - first * second) < 0.05


def test_more_reliable_metrics_have_higher_soft_pairwise_accuracy_on_average() -> None:
    classes: dict[str, list[float]] = {"low": [], "middle": [], "high": []}
    for seed in range(4):
        simulated = simulate_pair(SimulatedPair("en-de", 8, 300, 300, 25), seed=seed)
        rows = [row for row, name in enumerate(simulated.systems) if name.startswith("Sim-")][:7]
        for metric, scores in zip(simulated.metrics, simulated.scores, strict=True):
            name = "low" if metric.reliability < 0.4 else "middle"
            name = "high" if metric.reliability >= 0.8 else name
            classes[name].append(soft_pairwise_accuracy(simulated.gold[rows], scores[rows]))
    low, middle, high = (float(np.mean(classes[name])) for name in ("low", "middle", "high"))
    assert low + 0.03 < middle
    assert middle + 0.03 < high


def test_truth_file_has_reliability_and_bias(default_root: Path) -> None:
    truth = json.loads((default_root / "simulated" / "truth" / "he-en.json").read_text())
    assert [m["reliability"] for m in truth["metrics"]] == [m.reliability for m in METRICS]
    twin = next(m for m in truth["metrics"] if m["name"] == "SimTwin")
    assert twin["duplicate_of"] == "SimEmbed.v2"
    names = {system["name"] for system in truth["systems"]}
    assert all(set(m["bias"]) == names for m in truth["metrics"])


# --- limits and errors ------------------------------------------------------------------------


def test_scaling_changes_segments_only() -> None:
    small = scale_spec(default_spec(), 0.01)
    assert [(p.n_segments, p.n_rated) for p in small.pairs] == [(14, 13), (19, 19), (6, 5)]
    assert [(p.n_systems, p.n_metrics) for p in small.pairs] == [(14, 21), (15, 21), (12, 25)]


def test_many_systems_have_distinct_names() -> None:
    simulated = simulate_pair(SimulatedPair("en-de", 40, 5, 5, 1), seed=0)
    assert len(set(simulated.systems)) == 43


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("n_systems", 2),
        ("n_rated", 0),
        ("n_rated", 101),
        ("n_partial", -1),
        ("n_segments", 10),
        ("n_metrics", 0),
        ("n_metrics", 26),
        ("severity", 0.0),
    ],
)
def test_impossible_shapes_are_refused(field: str, value: float) -> None:
    shape = {"n_systems": 5, "n_segments": 100, "n_rated": 90, "n_metrics": 5, field: value}
    with pytest.raises(InputError, match=r"`(n_|severity)"):
        SimulatedPair("en-de", **shape)


def test_impossible_specs_are_refused() -> None:
    pair = SMALL.pairs[0]
    with pytest.raises(InputError, match="`pairs`"):
        SimulationSpec("sim", 0, ())
    with pytest.raises(InputError, match="`pairs`"):
        SimulationSpec("sim", 0, (pair, pair))
    with pytest.raises(InputError, match=r"`\.\./x` cannot be the name"):
        SimulationSpec("../x", 0, (pair,))
    with pytest.raises(InputError, match="`seed`"):
        SimulationSpec("sim", -1, (pair,))
    with pytest.raises(InputError, match="`factor`"):
        scale_spec(SMALL, 0.0)


def test_what_is_read_can_be_selected_and_compared_without_further_facts(
    default_root: Path,
) -> None:
    everything = read_evalset(default_root, "simulated", "he-en")
    chosen, left_out = select(everything)
    facts = load_testset("simulated", root=default_root).facts("he-en")
    expected, same = select(everything, Selection(), facts)
    assert (chosen.systems, chosen.metric_names, left_out) == (
        expected.systems,
        expected.metric_names,
        same,
    )
    with pytest.raises(InputError, match=r"`sigcore\.select` leaves out such systems"):
        compare_metrics(everything, n_resamples=19)
    result = compare_metrics(chosen, n_resamples=19, metric_pairs=[(0, 1)])
    assert result.metric_names == chosen.metric_names
