"""What every subcommand does with input that it cannot open."""

import pytest

from sigcore.cli.main import main

COMMANDS = [
    ["bayes", "gone.tsv"],
    ["bcv", "split", "gone.conll", "--out", "folds"],
    ["compare", "gone.txt"],
    ["evalb", "gone.txt", "gone.txt"],
    ["pairs", "gone.csv"],
    ["spans", "gone.txt", "gone.txt", "gone.txt"],
    ["test", "gone.txt", "gone.txt"],
]


@pytest.mark.parametrize("arguments", COMMANDS, ids=lambda words: words[0])
def test_a_missing_file_is_named_in_one_line(arguments, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.err.startswith("sigcore: error: gone.")
    assert captured.err.count("\n") == 1
    assert "Errno" not in captured.err
    assert "o such file" in captured.err
    assert captured.out == ""
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize("command", ["compare", "interval", "pairs", "rank", "separate", "test"])
def test_draws_have_the_name_that_errors_use_and_a_short_one(command, capsys):
    with pytest.raises(SystemExit):
        main([command, "--help"])
    words = capsys.readouterr().out.replace(",", " ").split()
    assert {"--resamples", "--n-resamples"} <= set(words)
