"""Broken input ends in one clear message that names the place, and in no result."""

import re
import shutil
from pathlib import Path

import pytest
import yaml

pytestmark = pytest.mark.workflow

ROOT = Path(__file__).resolve().parents[2]
GOLD = "human-scores/en-de.mqm.seg.score"


@pytest.fixture
def damaged(finished, workflow):
    """A copy of the simulated data that a test damages, and a configuration that reads it."""
    shutil.copytree(finished.folder / "results/smoke-data", workflow.folder / "data")
    config = yaml.safe_load((ROOT / "config/smoke.yaml").read_text(encoding="utf-8"))
    del config["simulate"]
    config |= {"data_root": "data", "testsets": {"simulated": ["en-de"]}}
    (workflow.folder / "own.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")
    return workflow


def metric(workflow) -> Path:
    folder = workflow.folder / "data/simulated/metric-scores/en-de"
    return next(folder.glob("SimNeural-XL-refA*"))


def run(workflow):
    """Run up to the stored scores, which is where files are read."""
    target = "results/smoke/simulated/en-de/scores.parquet"
    done = workflow.run(target, config=str(workflow.folder / "own.yaml"))
    return done.returncode, done.stdout + done.stderr


def edit(path: Path, change) -> None:
    path.write_bytes(change(path.read_bytes()))


def replace_line(number: int, text: bytes):
    def change(content: bytes) -> bytes:
        lines = content.split(b"\n")
        lines[number - 1] = text
        return b"\n".join(lines)

    return change


def without_system(content: bytes) -> bytes:
    lines = content.splitlines(keepends=True)
    dropped = lines[0].split(b"\t")[0]
    return b"".join(line for line in lines if line.split(b"\t")[0] != dropped)


DAMAGES = {
    "a missing system": (without_system, "no line has system 'Sim-", None),
    "one score too few": (
        lambda content: content[: content[:-1].rindex(b"\n") + 1],
        f"expected 60 scores of each system, as in data/simulated/{GOLD}; found 59",
        419,
    ),
    "text in a score": (replace_line(7, b"Sim-Oak\tgood"), "'good'", 7),
    "an empty file": (lambda content: b"", "is empty", 1),
    "a BOM": (lambda content: b"\xef\xbb\xbf" + content, "byte order mark", 1),
    "CRLF": (lambda content: content.replace(b"\n", b"\r\n"), "carriage return", 1),
    "nan": (replace_line(3, b"Sim-Oak\tnan"), "'nan'", 3),
}


@pytest.mark.parametrize("damage", DAMAGES, ids=str)
def test_a_damaged_score_file_is_named(damaged, damage):
    change, words, line = DAMAGES[damage]
    path = metric(damaged)
    edit(path, change)
    code, text = run(damaged)
    message = text.splitlines()[-1]
    assert code != 0
    assert message.startswith("sigcore: error: ")
    assert f"data/simulated/metric-scores/en-de/{path.name}:" in message
    assert words in message
    assert line is None or f"{path.name}:{line}:" in message
    assert "Traceback" not in text
    assert not list((damaged.folder / "results").rglob("*.*"))


@pytest.mark.parametrize("damage", ["a missing system", "one score too few"])
def test_damaged_human_scores_are_named(damaged, damage):
    edit(damaged.folder / "data/simulated" / GOLD, DAMAGES[damage][0])
    code, text = run(damaged)
    assert code != 0
    assert text.splitlines()[-1].startswith(f"sigcore: error: data/simulated/{GOLD}:")
    assert "Traceback" not in text
    assert not list((damaged.folder / "results").rglob("*.*"))


def test_an_unknown_language_pair_is_named(damaged):
    config = yaml.safe_load((damaged.folder / "own.yaml").read_text())
    config["testsets"] = {"simulated": ["en-xx"]}
    (damaged.folder / "own.yaml").write_text(yaml.safe_dump(config))
    code, text = run(damaged)
    assert code != 0
    message = text.splitlines()[-1]
    assert re.match(r"sigcore: error: .*own\.yaml:\d+: `testsets\.simulated` names", message)
    assert "unknown language pair 'en-xx'" in message
    assert "en-de, zh-en" in message


def test_a_typo_in_the_configuration_is_named(damaged):
    path = damaged.folder / "own.yaml"
    before = path.read_text()
    path.write_text(before + "signifcance: {}\n")
    code, text = run(damaged)
    assert code != 0
    assert text.splitlines()[-1] == (
        f"sigcore: error: {path}:{before.count(chr(10)) + 1}: "
        "unknown key `signifcance`; did you mean `significance`?"
    )


def test_my_metric_without_a_file_is_named(damaged):
    path = damaged.folder / "own.yaml"
    path.write_text(path.read_text() + "my_metrics: ['mine/{lp}/Mine-refA.seg.score']\n")
    code, text = run(damaged)
    assert code != 0
    message = text.splitlines()[-1]
    assert message.startswith("sigcore: error: mine/en-de/Mine-refA.seg.score: no such score file")


def test_my_metric_takes_part(damaged):
    mine = damaged.folder / r"mine/en-de/Mine 50% $\frac$ *[1] (v2.1)-refA.seg.score"
    mine.parent.mkdir(parents=True)
    shutil.copy(metric(damaged), mine)
    path = damaged.folder / "own.yaml"
    path.write_text(path.read_text() + "my_metrics: ['mine/{lp}']\n")
    done = damaged.run("results/smoke/simulated/en-de/ranking.csv", config=str(path))
    assert done.returncode == 0, done.stdout + done.stderr
    rows = (damaged.folder / "results/smoke/simulated/en-de/ranking.csv").read_text().splitlines()
    assert any(r"Mine 50% $\frac$ *[1] (v2.1)" in row for row in rows)
