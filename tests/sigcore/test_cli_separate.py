"""`sigcore separate` as a user types it."""

import json
import shutil

import pytest

from sigcore.cli.main import main
from sigcore.evalset import Selection, select
from sigcore.io.mtme import read_evalset
from sigcore.meta.power import separation_curve
from sigcore.simulate import SimulatedPair, SimulationSpec, write_evalset_files
from sigcore.testsets import load_testset

LP = "en-de"


@pytest.fixture(autouse=True)
def only_this_command(monkeypatch):
    monkeypatch.setattr("sigcore.cli.main.SUBCOMMANDS", ("separate",))


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    root = tmp_path_factory.mktemp("data")
    pair = SimulatedPair(LP, 5, 70, 60, 6)
    write_evalset_files(SimulationSpec("simulated", 0, (pair,)), root)
    return root


@pytest.fixture
def run(capsys, data):
    """Run the command on the simulated set and return exit code, output and errors."""

    def run_command(*arguments):
        source = ["--testset", "simulated", "--lp", LP, "--data", str(data)]
        few = ["--samples", "20", "--resamples", "39"]
        code = main(["separate", *map(str, arguments), *source, *few])
        return code, *capsys.readouterr()

    return run_command


def test_the_curve_is_that_of_the_library(run, data):
    code, out, err = run("SimNeural-XL", "SimRandom", "--sizes", "20", "40", "--json")
    assert code == 0, err
    found = json.loads(out)
    facts = load_testset("simulated", root=data).facts(LP)
    evalset, _ = select(read_evalset(data, "simulated", LP), Selection(), facts)
    first, second = (
        evalset.scores[evalset.metric_index(name)] for name in ("SimNeural-XL", "SimRandom")
    )
    curve = separation_curve(
        evalset.gold, first, second, sizes=[20, 40], n_samples=20, n_resamples=39
    )
    assert [row["power"] for row in found["curve"]] == curve.power.tolist()
    assert (found["first"], found["second"]) == ("SimNeural-XL", "SimRandom")
    assert (found["n_systems"], found["n_segments"]) == (5, 60)
    assert [x["count"] for x in found["left_out"] if x["kind"] == "segment"] == [10]


def test_the_report_answers_the_question(run):
    code, out, _ = run("SimRandom", "SimNeural-XL", "--sizes", "20", "200", "--target", "0.1")
    assert code == 0
    assert "SPA of SimNeural-XL is larger than that of SimRandom by 0." in out
    assert "Left out: " in out
    assert "10 segments (no gold score for every system)" in out
    assert "| segments | power |" in out
    assert "SimRandom wins |" in out
    assert "A power of 0.1 " in out
    assert "20 samples with p <= 0.05 by PERM-INPUTS, 39 draws" in out


def test_systems_and_another_meta_metric(run):
    out = run("SimNeural-XL", "SimRandom", "--by", "systems", "--meta", "pa")[1]
    assert "PA of SimNeural-XL is larger" in out
    assert "| systems | power |" in out


def test_a_file_can_be_one_of_the_two(run, data, tmp_path):
    stored = data / "simulated/metric-scores/en-de/SimNeural-XL-refA.seg.score"
    mine = shutil.copy(stored, tmp_path / "mine.seg.score")
    out = run(mine, "SimNeural-XL", "--sizes", "20")[1]
    assert "mine and SimNeural-XL have the same SPA." in out
    assert "score alike on these data: a power of 0.8 is not reached with 20 segments." in out


def test_a_constant_metric_is_named(run, data, tmp_path):
    stored = data / "simulated/metric-scores/en-de/SimNeural-XL-refA.seg.score"
    names = [line.split("\t")[0] for line in stored.read_text().splitlines()]
    flat = tmp_path / "flat.seg.score"
    flat.write_text("".join(f"{name}\t0.5\n" for name in names))
    code, out, err = run("SimRandom", flat)
    assert code != 0
    assert "the metric flat must not give all translations the same score." in err
    assert out == ""


def test_the_curve_can_be_drawn(run, tmp_path):
    run("SimNeural-XL", "SimRandom", "--sizes", "20", "40", "--figure", tmp_path / "curve.svg")
    assert (tmp_path / "curve.svg").read_text().startswith("<?xml")


def test_the_curve_is_not_drawn_over_scores(run, data, tmp_path):
    stored = next((data / "simulated" / "metric-scores" / LP).glob("SimRandom-*"))
    mine = shutil.copy(stored, tmp_path / "mine.svg")
    before = mine.read_bytes()
    code, out, err = run(mine, "SimTwin", "--figure", mine)
    assert (code, out) == (2, "")
    assert "the scores to read and `--figure` must be different files" in err
    assert mine.read_bytes() == before


@pytest.mark.parametrize("name", ["curve.bmp", "mine.svg/curve.svg"])
def test_a_curve_that_cannot_be_drawn_is_refused_before_it_is_computed(
    run, monkeypatch, tmp_path, name
):
    monkeypatch.setattr("sigcore.cli.separate._simulate", lambda *_: pytest.fail("computed"))
    (tmp_path / "mine.svg").touch()
    code, _, err = run("SimNeural-XL", "SimRandom", "--figure", tmp_path / name)
    assert code == 2
    assert err.count("\n") == 1
    assert sorted(tmp_path.iterdir()) == [tmp_path / "mine.svg"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["SimRandom", "SimRandom"], "two different metrics"),
        (["SimRandom", "nobody"], "'nobody' is neither a file nor one of the metrics"),
        (["SimRandom", "SimTwin", "--by", "systems", "--sizes", "9"], "at most the 5 systems"),
        (
            ["SimRandom", "SimTwin", "--alpha", "0.001"],
            "`n_resamples` must be at least 999 for `alpha` 0.001",
        ),
    ],
)
def test_bad_calls_say_what_was_expected(run, arguments, message):
    code, _, err = run(*arguments)
    assert code == 2
    assert message in err


@pytest.mark.real_data
def test_comet_and_bleu_separate_on_a_fraction_of_wmt23(public_data, capsys):
    source = ["--testset", "wmt23", "--lp", LP, "--data", str(public_data / "mtme")]
    sizes = ["--sizes", "60", "230", "--samples", "40", "--resamples", "99"]
    assert main(["separate", "COMET", "BLEU", *source, *sizes, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    powers = [row["power"] for row in found["curve"]]
    assert powers[1] > 0.9
    assert powers[1] >= powers[0] - 0.1
    # SPA of the two, see docs/rank.md.
    assert found["difference"] == pytest.approx(0.1032, abs=1e-3)
