"""The directory layout of mt-metrics-eval, made up and real."""

from pathlib import Path

import numpy as np
import pytest

from sigcore.errors import DataFileError, InputError, ScoreError
from sigcore.evalset import Selection, select
from sigcore.io.mtme import (
    list_gold_names,
    list_language_pairs,
    list_metric_files,
    metric_id,
    read_documents,
    read_evalset,
)
from sigcore.testsets import load_testset

REAL = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "mtme"
FACTS = """
testset: tiny
defaults: {reference: refA, gold: mqm, primary_metrics: [BLEU], baseline_metrics: [BLEU]}
language_pairs: {en-de: {}, de-en: {gold: null}, en-xx: {}}
"""


def scores(systems: str, values: str = "1 2 3") -> str:
    return "".join(f"{s}\t{v}\n" for s in systems.split() for v in values.split())


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A test set with one language pair, three segments, three systems and three metrics."""
    base = tmp_path / "tiny"
    files = {
        "sigcore.yaml": FACTS,
        "human-scores/en-de.mqm.seg.score": scores("mt2 mt1 refA refB", "0 -5 None"),
        "human-scores/en-de.mqm.rater1.seg.score": scores("mt1", "0 0 0"),
        "human-scores/en-de.mqm.sys.score": "mt1\t1\n",
        "human-scores/de-en.da.seg.score": scores("mt1"),
        "metric-scores/en-de/BLEU-refA.seg.score": scores("refB mt1 mt2"),
        "metric-scores/en-de/BLEU-refA.sys.score": "mt1\t1\n",
        "metric-scores/en-de/UniTE-src-src.seg.score": scores("mt1 mt2 refA refB mbr", "4 5 6"),
        "metric-scores/en-de/x(1).y z-refB.seg.score": scores("mt1 mt2 refA", "7 8 9"),
        "metric-scores/en-de/._BLEU-refA.seg.score": "junk of a file system",
        "documents/en-de.docs": "news\tdoc 1\nnews\tdoc 1\nchat\tdoc2\n",
    }
    for name, text in files.items():
        path = base / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def test_everything_of_a_language_pair_is_read(root: Path) -> None:
    evalset = read_evalset(root, "tiny", "en-de")
    assert evalset.systems == ("mbr", "mt1", "mt2", "refA", "refB")
    assert evalset.human_systems == ("refA", "refB")
    assert evalset.metric_names == ("BLEU", "UniTE-src", "x(1).y z")
    assert [metric.reference for metric in evalset.metrics] == ["refA", "src", "refB"]
    assert [metric.primary for metric in evalset.metrics] == [True, False, False]
    assert [metric.baseline for metric in evalset.metrics] == [True, False, False]
    assert evalset.metrics[0].source == "tiny/metric-scores/en-de/BLEU-refA.seg.score"
    assert evalset.documents == ("doc 1", "doc 1", "doc2")
    assert list(evalset.segments) == [0, 1, 2]
    np.testing.assert_array_equal(evalset.gold[0], [np.nan] * 3)
    np.testing.assert_array_equal(evalset.gold[1], [0, -5, np.nan])
    np.testing.assert_array_equal(evalset.scores[1], [[4, 5, 6]] * 5)
    np.testing.assert_array_equal(evalset.scores[0, :, 1], [np.nan, 2, 2, np.nan, 2])


def test_the_layout_is_listed(root: Path) -> None:
    assert list_language_pairs(root, "tiny") == ("de-en", "en-de")
    assert list_gold_names(root, "tiny", "en-de") == ("mqm", "mqm.rater1")
    names = [path.name for path in list_metric_files(root, "tiny", "en-de")]
    assert names == [
        "BLEU-refA.seg.score",
        "UniTE-src-src.seg.score",
        "x(1).y z-refB.seg.score",
    ]
    assert list_metric_files(root, "tiny", "de-en") == ()


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("BLEU-refA.seg.score", ("BLEU", "refA")),
        ("dir-x/HWTSC-Teacher-Sim-src.seg.score", ("HWTSC-Teacher-Sim", "src")),
        ("a-refA.refB.seg.score", ("a", "refA.refB")),
        ("cushLEPOR(LM)-all.seg.score", ("cushLEPOR(LM)", "all")),
        ("BLEU-refA.score", ("BLEU", "refA")),
    ],
)
def test_a_metric_name_is_split_at_the_last_dash(name: str, expected: tuple[str, str]) -> None:
    assert metric_id(name) == expected


@pytest.mark.parametrize("name", ["BLEU.seg.score", "-refA.seg.score", "BLEU-.seg.score"])
def test_a_metric_name_without_reference_is_refused(name: str) -> None:
    with pytest.raises(DataFileError, match="expected a name like METRIC-REFERENCE"):
        metric_id(name)


def test_another_gold_can_be_named(root: Path) -> None:
    evalset = read_evalset(root, "tiny", "en-de", gold="mqm.rater1")
    assert evalset.gold_name == "mqm.rater1"
    assert np.isfinite(evalset.gold).sum() == 3


def test_reference_files_decide_which_systems_are_human(root: Path) -> None:
    folder = root / "tiny" / "references"
    folder.mkdir()
    for name in ("en-de.refA.txt", "en-de.mbr.jsonl", "de-en.mt1.txt"):
        (folder / name).touch()
    assert read_evalset(root, "tiny", "en-de").human_systems == ("mbr", "refA")


def test_users_metrics_are_added_from_files_and_folders(root: Path, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    for name in ("my-metric.seg.score", "BLEU.seg.score", "good-refA.seg.score"):
        (folder / name).write_text(scores("mt1 mt2 refB"))
    single = tmp_path / "other.tsv"
    single.write_text(scores("mt1 mt2 refB"))
    evalset = read_evalset(root, "tiny", "en-de", extra_metric_files=[single, folder])
    own = {metric.name: metric.reference for metric in evalset.metrics if metric.extra}
    assert own == {"my-metric": "", "BLEU (own)": "", "good": "refA", "other": ""}
    assert "BLEU" in evalset.metric_names


def test_a_users_metric_has_one_name_whatever_official_ones_a_language_pair_has(
    root: Path, tmp_path: Path
) -> None:
    (root / "tiny/metric-scores/de-en").mkdir()
    (root / "tiny/metric-scores/de-en/MEE-refA.seg.score").write_text(scores("mt1"))
    for name in ("MEE.seg.score", "BLEU-refB.seg.score", "MEE-refA.seg.score"):
        path = tmp_path / name
        path.write_text(scores("mt1 mt2 refB"))
        evalset = read_evalset(root, "tiny", "en-de", extra_metric_files=[path])
        (own,) = (metric.name for metric in evalset.metrics if metric.extra)
        assert own == ("BLEU (own)" if "BLEU" in name else "MEE (own)")
        assert "BLEU" in evalset.metric_names


def test_a_second_file_of_a_metric_is_refused(root: Path, tmp_path: Path) -> None:
    path = tmp_path / "BLEU-refA.seg.score"
    path.write_text(scores("mt1 mt2"))
    with pytest.raises(DataFileError, match=r"is a second file of BLEU-refA, beside .*en-de"):
        read_evalset(root, "tiny", "en-de", extra_metric_files=[path])


def test_an_empty_folder_of_metrics_is_refused(root: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    with pytest.raises(DataFileError, match="there is no score file"):
        read_evalset(root, "tiny", "en-de", extra_metric_files=[tmp_path / "mine"])


def test_a_metric_with_one_score_too_few_is_refused_with_its_line(root: Path) -> None:
    path = root / "tiny/metric-scores/en-de/BLEU-refA.seg.score"
    path.write_text(scores("mt1 mt2").removesuffix("mt2\t3\n"))
    with pytest.raises(DataFileError, match=r"score:5: expected 3 scores .* found 2 of 'mt2'"):
        read_evalset(root, "tiny", "en-de")


def test_a_metric_of_another_length_is_refused(root: Path) -> None:
    path = root / "tiny/metric-scores/en-de/BLEU-refA.seg.score"
    path.write_text(scores("mt1 mt2", "1 2 3 4"))
    with pytest.raises(DataFileError, match=r"score:4: expected 3 scores .* found 4 of 'mt1'"):
        read_evalset(root, "tiny", "en-de")


def test_a_misspelt_system_is_found_at_selection(root: Path) -> None:
    path = root / "tiny/metric-scores/en-de/BLEU-refA.seg.score"
    path.write_text(scores("mt1 MT2 refB"))
    evalset = read_evalset(root, "tiny", "en-de")
    facts = load_testset("tiny", root=root).facts("en-de")
    with pytest.raises(ScoreError, match=r"BLEU-refA.*: no other file has system 'MT2'"):
        select(evalset, Selection(), facts)
    with pytest.raises(ScoreError, match=r"BLEU-refA.*'mt2'; no other file has 'MT2'"):
        select(evalset, Selection(unlisted_systems="leave-out"), facts)


def test_documents_must_fit_the_segments(root: Path) -> None:
    path = root / "tiny/documents/en-de.docs"
    path.write_text("news\tdoc1\n")
    with pytest.raises(DataFileError, match=r"docs:1: expected 3 lines, .* found 1"):
        read_evalset(root, "tiny", "en-de")
    path.write_text("news doc1\nnews\n")
    with pytest.raises(DataFileError, match=r"docs:2: expected 'domain<TAB>document'"):
        read_documents(path)


def test_documents_are_optional(root: Path) -> None:
    (root / "tiny/documents/en-de.docs").unlink()
    assert read_evalset(root, "tiny", "en-de").documents is None


def test_domains_and_documents_are_read(root: Path) -> None:
    domains, documents = read_documents(root / "tiny/documents/en-de.docs")
    assert domains == ("news", "news", "chat")
    assert documents == ("doc 1", "doc 1", "doc2")


def test_what_is_not_there_is_named_with_what_is(root: Path) -> None:
    with pytest.raises(InputError, match=r"no directory .*wmt22; .* has tiny"):
        read_evalset(root, "wmt22", "en-de")
    with pytest.raises(InputError, match=r"in .*tiny \(de-en, en-de\); got 'en-xx'"):
        read_evalset(root, "tiny", "en-xx")
    with pytest.raises(InputError, match=r"no standard gold; name one with `gold` \(da\)"):
        read_evalset(root, "tiny", "de-en")
    with pytest.raises(DataFileError, match=r"en-de\.esa\.seg.score: .* are mqm, mqm.rater1"):
        read_evalset(root, "tiny", "en-de", gold="esa")
    with pytest.raises(DataFileError, match=r"de-en: there is no metric file"):
        read_evalset(root, "tiny", "de-en", gold="da")


# Shapes: the README of the data and the public tables of the WMT22 and WMT23 metrics tasks.
@pytest.mark.real_data
@pytest.mark.parametrize(
    ("testset", "pair", "systems", "segments", "metrics", "metrics_with_qe"),
    [
        ("wmt22", "en-de", 14, 1315, 21, 31),
        ("wmt22", "zh-en", 15, 1875, 21, 31),
        ("wmt23", "en-de", 12, 460, 25, 43),
    ],
)
def test_real_sets_have_the_published_shapes(
    testset: str, pair: str, systems: int, segments: int, metrics: int, metrics_with_qe: int
) -> None:
    if not (REAL / testset).is_dir():
        pytest.skip("the public WMT scores are not in ../shared/data/mtme")
    evalset = read_evalset(REAL, testset, pair)
    facts = load_testset(testset).facts(pair)
    with_qe, _ = select(evalset, Selection(human_systems=True), facts)
    assert with_qe.scores.shape == (metrics_with_qe, systems, segments)
    chosen, left_out = select(evalset, Selection(human_systems=True, reference_free=False), facts)
    assert chosen.scores.shape == (metrics, systems, segments)
    assert {metric.reference for metric in chosen.metrics} == {"refA"}
    assert sum(entry.kind == "metric" for entry in left_out) == metrics_with_qe - metrics
    assert all(name in evalset.human_systems for name in ("refA",))


@pytest.mark.real_data
def test_real_gold_averages_to_the_published_system_scores() -> None:
    path = REAL / "wmt23/human-scores/en-de.mqm.sys.score"
    if not path.is_file():
        pytest.skip("the public WMT scores are not in ../shared/data/mtme")
    published = dict(line.split("\t") for line in path.read_text().splitlines())
    evalset = read_evalset(REAL, "wmt23", "en-de")
    for system, scores_ in zip(evalset.systems, evalset.gold, strict=True):
        if system in published:
            assert np.nanmean(scores_) == pytest.approx(float(published[system]), abs=1e-9)
