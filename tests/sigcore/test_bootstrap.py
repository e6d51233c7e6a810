"""Bootstrap intervals of meta-metrics: against slow code, standard errors and properties."""

import json
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from statistics import NormalDist

import numpy as np
import numpy.typing as npt
import pytest

from sigcore import bootstrap_meta_metric, paired_permutation_test
from sigcore.cli.main import main
from sigcore.errors import DegenerateDataWarning, InputError
from sigcore.meta.aligned import raw_scores
from sigcore.meta.bootstrap_samples import draw_samples, scorer
from sigcore.meta.registry import META_METRICS, meta_metric
from sigcore.simulate import SimulatedPair, SimulationSpec, write_evalset_files

Capture = pytest.CaptureFixture[str]
FloatArray = npt.NDArray[np.float64]
OVER = ("segments", "systems", "both")


@pytest.fixture
def arrays() -> tuple[FloatArray, FloatArray]:
    rng = np.random.default_rng(2)
    gold = np.rint(2.0 * (rng.normal(size=(5, 30)) + np.linspace(0.0, 0.8, 5)[:, None]))
    return gold, gold + rng.normal(size=(3, 5, 30)) * np.array([0.5, 2.0, 5.0])[:, None, None]


def resample(
    scores: FloatArray, systems: FloatArray, units: FloatArray, labels: FloatArray
) -> FloatArray:
    """Write out a sample with all copies; systems and segments come last."""
    rows = [row for row, count in enumerate(systems) for _ in range(count)]
    columns = [c for c, label in enumerate(labels) for _ in range(units[label])]
    return scores[..., rows, :][..., columns]


def mid_p(differences: FloatArray) -> float:
    """Normal tail with the term of the fourth cumulant, -2 sum d^4."""
    variance = float(np.sum(differences**2))
    if variance == 0.0:
        return 0.5
    z = float(differences.sum()) / variance**0.5
    cumulant = -2.0 * float(np.sum(differences**4)) / variance**2
    normal = NormalDist()
    tail = normal.cdf(-z) + normal.pdf(z) * cumulant / 24.0 * (z**3 - 3.0 * z)
    return min(max(tail, 0.0), 1.0)


def exact_p(differences: FloatArray) -> float:
    test = {"alternative": "greater", "ties": "mid"}
    return paired_permutation_test(differences, np.zeros(len(differences)), **test).pvalue  # type: ignore[arg-type]


def slow_pairs(
    gold: FloatArray, metric: FloatArray, origin: list[int], mid_p: Callable[[FloatArray], float]
) -> tuple[float, float]:
    """SPA and PA over pairs of different systems, written out."""
    pairs = [(i, j) for i, j in combinations(range(len(origin)), 2) if origin[i] != origin[j]]
    if not pairs:
        return np.nan, np.nan
    gaps = [(gold[i] - gold[j], metric[i] - metric[j]) for i, j in pairs]
    spa = [1.0 - abs(mid_p(one) - mid_p(other)) for one, other in gaps]
    pa = [np.sign(one.sum()) == np.sign(other.sum()) for one, other in gaps]
    return float(np.mean(spa)), float(np.mean(pa))


@pytest.mark.parametrize("over", OVER)
def test_samples_of_spa_and_pa_equal_slow_code(
    arrays: tuple[FloatArray, FloatArray], over: str
) -> None:
    raw = raw_scores(*arrays)
    (sample,) = draw_samples(np.random.default_rng(5), raw, over, 12)
    # p-values of scores off a grid are themselves within 1e-5.
    pvalue, error = (exact_p, 1e-5) if over == "systems" else (mid_p, 1e-9)
    for position, meta in enumerate(("spa", "pa")):
        found = scorer(raw, meta, over)(sample)
        for k, (systems, units) in enumerate(zip(sample.systems, sample.units, strict=True)):
            gold = resample(raw.gold, systems, units, raw.labels)
            origin = [row for row, count in enumerate(systems) for _ in range(count)]
            for row, metric in enumerate(raw.metrics):
                written = resample(metric, systems, units, raw.labels)
                slow = slow_pairs(gold, written, origin, pvalue)[position]
                assert found[row, k] == pytest.approx(slow, abs=error, nan_ok=True)


@pytest.mark.parametrize("over", OVER)
@pytest.mark.parametrize("meta", ["pearson-item", "pearson-sys", "tau-b-seg", "tau-b-item", "pdp"])
def test_samples_of_other_meta_metrics_are_those_of_the_written_out_sample(
    arrays: tuple[FloatArray, FloatArray], meta: str, over: str
) -> None:
    raw = raw_scores(*arrays, blocks=np.repeat(np.arange(10), 3))
    (sample,) = draw_samples(np.random.default_rng(6), raw, over, 5)
    found = scorer(raw, meta, over)(sample)
    for k, (systems, units) in enumerate(zip(sample.systems, sample.units, strict=True)):
        gold = resample(raw.gold, systems, units, raw.labels)
        for row, metric in enumerate(raw.metrics):
            value = meta_metric(meta)(gold, resample(metric, systems, units, raw.labels)).value
            assert found[row, k] == pytest.approx(value, abs=1e-12, nan_ok=True)


def slow_accuracy(gold: FloatArray, metric: FloatArray, origin: list[int], epsilon: float) -> float:
    """Mean over items of the share of pairs of different systems on which both agree."""
    pairs = [(i, j) for i, j in combinations(range(len(origin)), 2) if origin[i] != origin[j]]
    if not pairs:
        return np.nan
    agree = []
    for i, j in pairs:
        gap = metric[i] - metric[j]
        verdict = np.where(np.abs(gap) <= epsilon, 0.0, np.sign(gap))
        agree.append(verdict == np.sign(gold[i] - gold[j]))
    return float(np.mean(agree))


@pytest.mark.parametrize("over", OVER)
def test_accuracies_do_not_count_pairs_of_copies(
    arrays: tuple[FloatArray, FloatArray], over: str
) -> None:
    raw = raw_scores(*arrays)
    (sample,) = draw_samples(np.random.default_rng(6), raw, over, 5)
    found = {name: scorer(raw, name, over)(sample) for name in ("acc-eq", "acc-23", "tau-23")}
    for k, (systems, units) in enumerate(zip(sample.systems, sample.units, strict=True)):
        gold = resample(raw.gold, systems, units, raw.labels)
        origin = [row for row, count in enumerate(systems) for _ in range(count)]
        for row, metric in enumerate(raw.metrics):
            written = resample(metric, systems, units, raw.labels)
            plain = slow_accuracy(gold, written, origin, 0.0)
            gaps = np.unique([np.abs(a - b) for a, b in combinations(written, 2)])
            best = max(slow_accuracy(gold, written, origin, gap) for gap in [0.0, *gaps])
            assert found["acc-23"][row, k] == pytest.approx(plain, abs=1e-12)
            assert found["tau-23"][row, k] == pytest.approx(2.0 * plain - 1.0, abs=1e-12)
            assert found["acc-eq"][row, k] == pytest.approx(best, abs=1e-12)


@pytest.mark.parametrize("meta", ["acc-eq", "acc-eq-heldout", "acc-23", "tau-23"])
def test_intervals_of_accuracies_over_systems_have_the_score_inside(meta: str) -> None:
    rng = np.random.default_rng(4)
    quality = rng.normal(size=(12, 100))
    gold = np.rint(quality + rng.normal(size=quality.shape))
    metric = quality + rng.normal(size=quality.shape)
    result = bootstrap_meta_metric(gold, metric[None], meta=meta, over="systems", n_resamples=100)
    assert result.low[0] < result.value[0] < result.high[0]
    with pytest.warns(DegenerateDataWarning, match=r"Many samples have no value"):
        few = bootstrap_meta_metric(
            gold[:3], metric[None, :3], meta=meta, over="systems", n_resamples=200
        )
    assert few.low[0] < few.high[0]


def test_standard_error_of_a_mean_over_items_is_that_of_a_mean() -> None:
    rng = np.random.default_rng(1)
    gold = rng.normal(size=(6, 400))
    metric = gold + rng.normal(size=gold.shape)
    by_item = [np.corrcoef(gold[:, item], metric[:, item])[0, 1] for item in range(400)]
    result = bootstrap_meta_metric(gold, metric[None], meta="pearson-item", n_resamples=4000)
    expected = np.std(by_item) / np.sqrt(400)
    assert result.standard_error[0] == pytest.approx(expected, rel=0.05)
    assert result.value[0] == pytest.approx(np.mean(by_item))
    assert result.low[0] == pytest.approx(result.value[0] - 1.96 * expected, abs=0.2 * expected)
    assert result.high[0] == pytest.approx(result.value[0] + 1.96 * expected, abs=0.2 * expected)


def test_the_interval_is_that_of_percentiles_moved_by_the_bias(
    arrays: tuple[FloatArray, FloatArray],
) -> None:
    gold, metric = arrays[0], arrays[1][2]
    rng = np.random.default_rng(5)
    samples = []
    for _ in range(3000):
        columns = rng.integers(0, gold.shape[1], gold.shape[1])
        samples.append(slow_pairs(gold[:, columns], metric[:, columns], list(range(5)), mid_p)[0])
    result = bootstrap_meta_metric(gold, metric[None], n_resamples=3000)
    bias = np.mean(samples) - result.value[0]
    assert bias < -0.01  # resampling adds noise
    assert result.bias[0] == pytest.approx(bias, abs=0.01)
    ends = np.quantile(samples, [0.025, 0.975]) - bias
    assert [result.low[0], result.high[0]] == pytest.approx(np.minimum(ends, 1.0), abs=0.02)


def test_no_interval_leaves_the_range_of_its_meta_metric(
    arrays: tuple[FloatArray, FloatArray],
) -> None:
    gold, scores = arrays
    for meta, lowest in (("spa", 0.0), ("pearson-sys", -1.0)):
        for sign in (1.0, -1.0):
            result = bootstrap_meta_metric(gold, sign * scores, meta=meta, n_resamples=200)
            assert (result.low >= lowest).all()
            assert (result.high <= 1.0).all()


@pytest.mark.parametrize("meta", list(META_METRICS))
def test_every_meta_metric_has_an_interval(
    arrays: tuple[FloatArray, FloatArray], meta: str
) -> None:
    gold, scores = 30.0 * arrays[0], arrays[1]  # gaps wide enough for the Kendall-like statistic
    result = bootstrap_meta_metric(gold, scores, meta=meta, over="both", n_resamples=12)
    assert (result.low <= result.high).all()
    value = meta_metric(meta)(gold, scores[0]).value
    assert result.value[0] == pytest.approx(value, abs=1e-12)


def test_a_metric_has_the_same_interval_whichever_others_are_there(
    arrays: tuple[FloatArray, FloatArray],
) -> None:
    gold, scores = arrays
    whole = bootstrap_meta_metric(gold, scores, n_resamples=300)
    part = bootstrap_meta_metric(gold, scores[1:], n_resamples=300)
    np.testing.assert_array_equal(whole.low[1:], part.low)
    again = bootstrap_meta_metric(gold, scores, n_resamples=300, seed=1)
    assert (again.low != whole.low).any()


def test_gold_against_itself_is_certain(arrays: tuple[FloatArray, FloatArray]) -> None:
    gold, _ = arrays
    for over in OVER:
        result = bootstrap_meta_metric(gold, gold[None], over=over, n_resamples=50)
        assert result.low[0] == pytest.approx(1.0)


def slow_tau_c(gold: FloatArray, metric: FloatArray, origin: list[int]) -> float:
    """tau-c of one item over the largest surplus that its values and its copies allow."""
    pairs = list(combinations(range(len(origin)), 2))
    surplus = sum(np.sign((gold[i] - gold[j]) * (metric[i] - metric[j])) for i, j in pairs)
    n, m = len(gold), min(len(np.unique(gold)), len(np.unique(metric)))
    largest = min(n * n * (m - 1) / (2 * m), sum(origin[i] != origin[j] for i, j in pairs))
    return surplus / largest if largest else np.nan


def test_tau_c_of_samples_equals_slow_code(arrays: tuple[FloatArray, FloatArray]) -> None:
    raw = raw_scores(*arrays)
    (sample,) = draw_samples(np.random.default_rng(6), raw, "systems", 8)
    found = scorer(raw, "tau-c-item", "systems")(sample)
    for k, systems in enumerate(sample.systems):
        origin = np.repeat(np.arange(len(systems)), systems).tolist()
        gold = raw.gold[origin]
        for row, metric in enumerate(raw.metrics):
            items = zip(gold.T, metric[origin].T, strict=True)
            slow = np.nanmean([slow_tau_c(*item, origin) for item in items])
            assert found[row, k] == pytest.approx(slow, abs=1e-12)


@pytest.mark.parametrize("over", OVER)
@pytest.mark.parametrize("meta", ["tau-c-item", "tau-c-by-system", "tau-c-seg"])
def test_copies_do_not_lower_tau_c(over: str, meta: str) -> None:
    gold = np.random.default_rng(0).normal(size=(6, 25))
    result = bootstrap_meta_metric(gold, gold[None], meta=meta, over=over, n_resamples=40)
    assert result.low[0] == pytest.approx(1.0)
    assert result.high[0] == pytest.approx(1.0)
    # With few values the largest surplus is that of Stuart's formula, or less.
    coarse = np.round(gold)
    result = bootstrap_meta_metric(coarse, coarse[None], meta=meta, over=over, n_resamples=40)
    assert 0.5 < result.low[0] <= result.high[0] <= 1.0 + 1e-12


def test_samples_of_one_system_are_counted_and_left_out() -> None:
    rng = np.random.default_rng(3)
    gold = rng.normal(size=(3, 20))
    with pytest.warns(DegenerateDataWarning, match=r"no value of spa, .* others: m \(1\d%\)\."):
        result = bootstrap_meta_metric(
            gold, gold[None], over="systems", metric_names=["m"], n_resamples=2000
        )
    assert 200 < result.n_undefined[0] < 245  # three copies of one system in a ninth of the samples
    assert result.low[0] == result.high[0] == 1.0


@pytest.mark.parametrize("over", ["systems", "both"])
def test_two_systems_cannot_be_resampled(over: str) -> None:
    gold = np.random.default_rng(3).normal(size=(2, 20))
    with pytest.raises(InputError, match="`over` must be 'segments' for fewer than 3 systems; got"):
        bootstrap_meta_metric(gold, gold[None], over=over)


def test_segments_without_all_scores_are_counted(arrays: tuple[FloatArray, FloatArray]) -> None:
    gold, scores = arrays
    scores[1, 2, 4] = np.nan
    result = bootstrap_meta_metric(gold, scores, n_resamples=20)
    assert (result.n_segments, result.n_segments_dropped) == (29, 1)
    assert result.to_records()[0]["n_segments_dropped"] == 1


@pytest.mark.parametrize(
    ("option", "value"),
    [("meta", "x"), ("over", "items"), ("confidence", 1.0), ("n_resamples", 1), ("seed", -1)],
)
def test_wrong_options_are_refused(
    arrays: tuple[FloatArray, FloatArray], option: str, value: object
) -> None:
    with pytest.raises(InputError, match=f"`{option}`"):
        bootstrap_meta_metric(*arrays, **{option: value})  # type: ignore[arg-type]


def test_a_single_segment_cannot_be_resampled(arrays: tuple[FloatArray, FloatArray]) -> None:
    gold, scores = arrays
    with pytest.raises(InputError, match="single segment"):
        bootstrap_meta_metric(gold[:, :1], scores[:, :, :1])
    with pytest.raises(InputError, match="single segment"):
        bootstrap_meta_metric(gold, scores, blocks=["one"] * 30, over="both")
    result = bootstrap_meta_metric(gold[:, :1], scores[:, :, :1], over="systems", n_resamples=50)
    assert (result.low <= result.value + 1e-12).all()


def test_no_value_at_all_is_an_error_that_names_the_cause() -> None:
    gold = np.ones((3, 4))
    with pytest.raises(InputError, match="no sample has a value of pearson-sys: 0: all gold"):
        bootstrap_meta_metric(gold, gold[None], meta="pearson-sys", n_resamples=10)
    close = np.arange(12.0).reshape(3, 4)
    with pytest.raises(InputError, match=r"m: no gold scores of a pair differ by 25\.0 or more"):
        bootstrap_meta_metric(close, close[None], meta="kendall-like", metric_names=["m"])


def test_a_metric_without_a_value_is_named(tmp_path: Path, capsys: Capture) -> None:
    pair = SimulatedPair("en-de", 5, 70, 60, 6)
    write_evalset_files(SimulationSpec("simulated", 0, (pair,)), tmp_path)
    stored = tmp_path / "simulated/metric-scores/en-de/SimNeural-XL-refA.seg.score"
    flat = [line.split("\t")[0] + "\t0.5\n" for line in stored.read_text().splitlines()]
    (tmp_path / "flat.seg.score").write_text("".join(flat))
    where = ["--testset", "simulated", "--lp", "en-de", "--data", str(tmp_path)]
    metrics = [str(tmp_path / "flat.seg.score"), "SimNeural-XL"]
    assert main(["interval", *metrics, *where, "--meta", "pearson-seg", "--resamples", "20"]) == 0
    out, err = capsys.readouterr()
    rows = [line for line in out.splitlines() if line.startswith(("| flat", "| SimNeural"))]
    assert [row.split()[1] for row in rows] == ["SimNeural-XL", "flat"]
    assert "nan" not in out
    assert "Note: Not every metric has a value of pearson-seg: flat: all gold or metric" in out
    assert err == ""


def test_the_command_prints_what_the_library_gives(tmp_path: Path, capsys: Capture) -> None:
    pair = SimulatedPair("en-de", 5, 70, 60, 6)
    write_evalset_files(SimulationSpec("simulated", 0, (pair,)), tmp_path)
    where = ["--testset", "simulated", "--lp", "en-de", "--data", str(tmp_path)]
    options = ["--over", "both", "--resamples", "50"]
    assert main(["interval", *where, *options, "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["intervals"]
    assert len({row["metric"] for row in rows}) == len(rows) > 2
    assert main(["interval", rows[0]["metric"], *where, *options]) == 0
    printed = capsys.readouterr().out
    assert f"{rows[0]['value']:.4f}" in printed
    assert f"{rows[0]['low']:.4f} to {rows[0]['high']:.4f}" in printed
    assert rows[1]["metric"] not in printed
    assert "50 samples of segments and of systems, seed 0" in printed
    assert printed.endswith("such intervals are wide.\n")
    assert main(["interval", rows[0]["metric"], *where, "--documents", "--resamples", "20"]) == 0
    documents = (tmp_path / "simulated/documents/en-de.docs").read_text().splitlines()
    gold = (tmp_path / "simulated/human-scores/en-de.mqm.seg.score").read_text().splitlines()
    rated = {n % 70 for n, line in enumerate(gold) if not line.endswith("None")}
    n_documents = len({documents[n].split("\t")[1] for n in rated})
    assert f"20 samples of the {n_documents} documents, seed 0" in capsys.readouterr().out
    assert main(["interval", *where, "--meta", "nonsense"]) == 2
    assert "`meta` must be one of" in capsys.readouterr().err


def test_the_command_says_what_was_left_out(tmp_path: Path, capsys: Capture) -> None:
    pair = SimulatedPair("en-de", 5, 70, 60, 6)
    write_evalset_files(SimulationSpec("simulated", 0, (pair,)), tmp_path)
    where = ["--testset", "simulated", "--lp", "en-de", "--data", str(tmp_path)]
    options = ["--resamples", "20", "--no-reference-free", "--exclude", "refB"]
    assert main(["interval", *where, *options, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    counts = {entry["kind"]: entry["count"] for entry in found["left_out"]}
    # 70 segments of which 60 are rated.
    assert counts["segment"] == 10
    assert {row["n_segments_dropped"] for row in found["intervals"]} == {10}
    assert {"kind": "system", "name": "refB", "reason": "not wanted", "count": 1} in (
        found["left_out"]
    )
    assert main(["interval", *where, *options]) == 0
    (line,) = (x for x in capsys.readouterr().out.splitlines() if x.startswith("Left out: "))
    assert "refB (not wanted)" in line
    assert "10 segments (no gold score for every system)" in line
    assert "uses no reference" in line
