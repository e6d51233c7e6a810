"""Faults that show only when files are held against each other name their file and line."""

from pathlib import Path

import pytest

from sigcore.errors import DataFileError
from sigcore.evalset import Selection
from sigcore.io.selected import read_selected
from sigcore.testsets import load_testset

GOLD = "tiny/human-scores/en-de.mqm.seg.score"
BLEU = "tiny/metric-scores/en-de/BLEU-refA.seg.score"
CHRF = "tiny/metric-scores/en-de/chrF-refA.seg.score"


def lines(**systems: str) -> str:
    """Write score files, systems one after another."""
    rows = [f"{name}\t{score}" for name, scores in systems.items() for score in scores.split()]
    return "\n".join(rows) + "\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name in (GOLD, BLEU, CHRF):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(lines(mt1="1 2 3", mt2="4 5 6", mt3="7 9 8"))
    facts = "testset: tiny\nlanguage_pairs: {en-de: {reference: refA, gold: mqm}}\n"
    (tmp_path / "tiny/sigcore.yaml").write_text(facts)
    return tmp_path


def message(root: Path, **options: str) -> str:
    facts = load_testset("tiny", root=root).facts("en-de")
    with pytest.raises(DataFileError) as caught:
        read_selected(root, "tiny", "en-de", Selection(**options), facts=facts)
    return str(caught.value).replace(f"{root}/", "")


def test_a_system_that_one_metric_lacks(root: Path) -> None:
    (root / BLEU).write_text(lines(mt1="1 2 3", mt3="7 9 8"))
    assert message(root).startswith(f"{BLEU}: no line has system 'mt2'; expected a score wherever")


def test_the_first_score_that_a_metric_lacks(root: Path) -> None:
    (root / BLEU).write_text(lines(mt3="7 None 8", mt1="1 2 3", mt2="4 5 None"))
    text = message(root)
    assert text.startswith(f"{BLEU}:9: expected a score wherever there is gold; 2 of 9 are missing")
    # Lines of systems may alternate.
    (root / BLEU).write_text("mt1 1\nmt2 4\nmt3 7\nmt1 2\nmt2 None\nmt3 8\nmt1 3\nmt2 6\nmt3 9\n")
    assert message(root).startswith(f"{BLEU}:5: expected")


def test_a_system_that_the_gold_lacks(root: Path) -> None:
    (root / GOLD).write_text(lines(mt1="1 2 3", mt3="7 9 8"))
    assert message(root).startswith(f"{GOLD}: no line has system 'mt2'; 2 of 2 metrics score it.")


def test_a_system_that_only_one_metric_has(root: Path) -> None:
    (root / BLEU).write_text(lines(mt1="1 2 3", mt2="4 5 6", Mt3="7 9 8"))
    assert message(root).startswith(f"{BLEU}:7: no other file has system 'Mt3'; is its name right?")


def test_a_number_of_segments_that_differs_from_the_gold(root: Path) -> None:
    (root / BLEU).write_text(lines(mt1="1 2", mt2="4 5", mt3="7 9"))
    text = message(root)
    assert text.startswith(f"{BLEU}:2: expected 3 scores of each system, as in {GOLD}; found 2")


def test_constant_gold(root: Path) -> None:
    (root / GOLD).write_text(lines(mt1="1 1 1", mt2="1 1 1", mt3="1 1 1"))
    assert message(root).startswith(f"{GOLD}: all 3 systems have the same score")
