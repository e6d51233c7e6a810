"""Second ratings and texts as part of a run."""

import json

import pyarrow.parquet as pq
import pytest

pytestmark = pytest.mark.workflow


def test_a_run_scores_further_ratings_and_texts(copied):
    pytest.importorskip("sacrebleu")
    gold = next(copied.folder.rglob("human-scores/en-de.mqm.seg.score"))
    lines = [line.split("\t") for line in gold.read_text().splitlines()]
    systems = list(dict.fromkeys(name for name, _ in lines))
    # The second group sees a little more and does not rate the first system.
    second = [
        (n, "None" if s == "None" or n == systems[0] else str(float(s) - 1)) for n, s in lines
    ]
    gold.with_name("en-de.second.seg.score").write_text("".join(f"{n}\t{s}\n" for n, s in second))
    n_segments = len(lines) // len(systems)
    folder = gold.parents[1]
    for name in ("system-outputs/en-de", "references"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    for row, system in enumerate(systems):
        text = "".join(f"word{k} word{k % 7} word{k % (row + 2)} x\n" for k in range(n_segments))
        (folder / f"system-outputs/en-de/{system}.txt").write_text(text)
    text = "".join(f"word{k} word{k % 7} word{k % 3} y\n" for k in range(n_segments))
    (folder / "references/en-de.refA.txt").write_text(text)
    setting = "yardsticks={ratings: [second], corpus_metrics: [bleu]}"
    done = copied.run("--config", setting, "--", "results/smoke/yardsticks/section.json")
    assert done.returncode == 0, done.stdout + done.stderr
    results = copied.folder / "results/smoke"
    rows = pq.read_table(results / "simulated/en-de/yardsticks.parquet").to_pylist()
    kinds = {row["scorer"]: row["kind"] for row in rows}
    assert kinds["second"] == "people"
    assert kinds["BLEU (corpus)"] == "corpus"
    people = next(row for row in rows if row["kind"] == "people")
    # One point less everywhere orders all systems alike.
    assert (people["spa"], people["pa"]) == (1.0, 1.0)
    section = json.loads((results / "yardsticks/section.json").read_text())
    assert "simulated zh-en has no file zh-en.second.seg.score." in section["html"]
    assert "zh-en has no texts in system-outputs/zh-en and references" in section["html"]
    assert any(path.endswith("en-de.second.seg.score") for path in section["inputs"])


def test_ratings_that_share_nothing_with_the_gold_and_the_gold_itself_are_named(copied):
    gold = next(copied.folder.rglob("human-scores/en-de.mqm.seg.score"))
    lines = [line.split("\t") for line in gold.read_text().splitlines()]
    text = "".join(f"{name}\t{'1' if score == 'None' else 'None'}\n" for name, score in lines)
    gold.with_name("en-de.other.seg.score").write_text(text)
    setting = "yardsticks={ratings: [other, mqm]}"
    done = copied.run("--config", setting, "--", "results/smoke/yardsticks/section.json")
    assert done.returncode == 0, done.stdout + done.stderr
    html = json.loads((copied.folder / "results/smoke/yardsticks/section.json").read_text())["html"]
    assert "simulated en-de: no segment has both mqm and other ratings" in html
    assert "en-de.mqm.seg.score is the gold of simulated en-de" in html


def test_ratings_of_another_length_are_refused(copied):
    gold = next(copied.folder.rglob("human-scores/en-de.mqm.seg.score"))
    gold.with_name("en-de.short.seg.score").write_text("a\t1\nb\t2\n")
    setting = "yardsticks={ratings: [short]}"
    done = copied.run("--config", setting, "--", "results/smoke/yardsticks/section.json")
    assert done.returncode != 0
    assert "en-de.short.seg.score:1: expected" in done.stdout + done.stderr
    assert not (copied.folder / "results/smoke/simulated/en-de/yardsticks.parquet").exists()
