"""`make bench` runs every benchmark and keeps its tables."""

from pathlib import Path

import pyarrow.parquet as pq
import pytest

from benchmarks import run_all
from sigcore.io.schemas import SCHEMAS

ROOT = Path(__file__).resolve().parent.parent
SMALL = ("--sizes", "20", "50", "--resamples", "30", "--repeats", "1")


@pytest.fixture
def settings(monkeypatch):
    """Set how benchmarks are run."""
    return lambda values: monkeypatch.setattr(run_all, "SETTINGS", values)


def test_every_script_with_settings_is_there_and_has_a_main():
    names = run_all.scripts()
    assert "run_all" not in names
    assert {*run_all.SETTINGS, *run_all.PEERS} <= set(names)
    for name in names:
        text = (ROOT / f"benchmarks/{name}.py").read_text(encoding="utf-8")
        assert 'if __name__ == "__main__":' in text, name
        assert name not in run_all.PEERS or '"--peer"' in text, name


def test_tables_and_measurements_are_kept(settings, tmp_path, capsys):
    figure = tmp_path / "out/figure.png"
    settings({"paper_figure": (*SMALL, "--figure", "{to}/figure.png")})
    assert run_all.main(["paper_figure", "--to", str(tmp_path / "out")]) == 0
    page = (tmp_path / "out/paper_figure.md").read_text(encoding="utf-8")
    assert page.startswith("# paper_figure\n\n`python -m benchmarks.paper_figure --sizes 20 50 ")
    assert "threads OMP_NUM_THREADS = 1" in page
    assert "\n| exact (tilted inversion) |" in page
    assert "\n| Monte Carlo, K = 30 |" in page
    table = pq.read_table(tmp_path / "out/paper_figure.parquet")
    assert table.schema.names == SCHEMAS["timings"].names
    assert figure.stat().st_size > 1000
    assert "The tables are in" in capsys.readouterr().out


def test_a_failing_benchmark_is_named_and_does_not_stop_the_others(settings, tmp_path, capsys):
    settings({"paper_figure": ("--sizes", "0"), "bayes_coverage": ("--help",)})
    assert run_all.main(["paper_figure", "bayes_coverage", "--to", str(tmp_path)]) == 1
    assert "Failed: paper_figure." in capsys.readouterr().err
    assert not (tmp_path / "paper_figure.md").exists()
    # What is no Markdown table keeps its columns.
    assert "```\nusage:" in (tmp_path / "bayes_coverage.md").read_text(encoding="utf-8")


def test_a_peer_is_passed_on():
    options = run_all.parse(["--paired-perm-test", "checkout"])
    assert run_all.command_of("exact_f1", options)[-2:] == ["--peer", "checkout"]
    assert "--peer" not in run_all.command_of("spa_significance", options)


def test_other_options_go_to_the_one_benchmark_named(capsys):
    options = run_all.parse(["exact_f1", "--to", "here", "--sizes", "30", "--repeats=1"])
    assert (options.names, options.to) == (["exact_f1"], Path("here"))
    assert run_all.command_of("exact_f1", options)[-3:] == ["--sizes", "30", "--repeats=1"]
    for names in ([], ["exact_f1", "acc_eq"]):
        with pytest.raises(SystemExit):
            run_all.parse([*names, "--sizes", "30"])
        assert "--sizes is an option of a benchmark" in capsys.readouterr().err


def test_an_unknown_name_is_refused(capsys):
    with pytest.raises(SystemExit) as caught:
        run_all.main(["exact_f2"])
    assert caught.value.code == 2
    assert "got 'exact_f2'" in capsys.readouterr().err
