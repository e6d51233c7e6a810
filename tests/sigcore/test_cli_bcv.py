import os
import subprocess
import sys
import time

import pytest

from sigcore.bayes.corpus import UNITS
from sigcore.bayes.tagsets import READABLE, TAG_SETS
from sigcore.cli import bcv
from sigcore.cli.main import main
from sigcore.io.folds import read_folds


@pytest.fixture(autouse=True)
def only_this_command(monkeypatch):
    monkeypatch.setattr("sigcore.cli.main.SUBCOMMANDS", ("bcv",))


@pytest.fixture
def corpus(tmp_path, capsys):
    path = tmp_path / "corpus.conll"
    assert main(["bcv", "simulate", str(path), "--sentences", "60", "--seed", "3"]) == 0
    capsys.readouterr()
    return path


def split(corpus, *arguments):
    out = corpus.parent / "out"
    return main(["bcv", "split", str(corpus), "--out", str(out), *arguments]), out


def test_choices_are_those_of_the_library():
    assert bcv.SCHEMES == READABLE
    assert bcv.TAG_SETS == TAG_SETS
    assert bcv.UNITS == UNITS


def test_split_writes_the_folds_and_says_how_balanced(corpus, capsys):
    code, out = split(corpus, "--files", "iobes", "--balance", "types", "tags", "length")
    printed = capsys.readouterr().out
    assert code == 0
    assert "60 sentences" in printed
    assert "| tokens " in printed
    assert "| tag S-PER " in printed
    assert len((out / "partition.tsv").read_text().splitlines()) == 1 + 3 * 60
    assert sorted(path.name for path in out.glob("rep*")) == [
        f"rep{rep}-fold{fold}" for rep in (1, 2, 3) for fold in (1, 2)
    ]


def test_split_is_the_same_for_the_same_seed(corpus):
    first = (split(corpus)[1] / "partition.tsv").read_bytes()
    assert (split(corpus)[1] / "partition.tsv").read_bytes() == first
    assert (split(corpus, "--seed", "1")[1] / "partition.tsv").read_bytes() != first


def test_run_counts_chunks_of_both_models(corpus, capsys):
    _, out = split(corpus)
    program = corpus.parent / "mine.py"
    program.write_text(
        "import sys\n"
        "for line in open(sys.argv[1]):\n"
        "    print('B-LOC' if line.split()[1:] == ['NNP'] else 'O' if line.strip() else '')\n"
    )
    arguments = ["--model", "IOBES", "crf:iobes", "--model", "mine"]
    command = f"{sys.executable} {program} {{validate}}"
    code = main(["bcv", "run", str(corpus), "--out", str(out), *arguments, command])
    assert code == 0
    assert "| IOBES |" in capsys.readouterr().out
    models = read_folds(out / "folds.tsv")
    assert list(models) == ["IOBES", "mine"]
    assert (models["IOBES"].positives == models["mine"].positives).all()
    assert models["IOBES"].totals[0] > models["mine"].totals[0] > 0
    assert len(list((out / "predictions/mine").iterdir())) == 6
    assert not (out / "work").exists()


def test_run_restricts_chunks_and_keeps_files(corpus):
    _, out = split(corpus, "--types", "ORG", "--untyped")
    arguments = ["--types", "ORG", "--untyped", "--model", "A", "crf:iob2", "--keep"]
    main(["bcv", "run", str(corpus), "--out", str(out), *arguments])
    text = (out / "predictions/A/rep1-fold1.conll").read_text()
    tags = {line.split("\t")[2] for line in text.splitlines() if line}
    assert tags == {"B", "I", "O"}
    assert (out / "work/A/rep1-fold1/model.crfsuite").is_file()
    n_org = corpus.read_text().count("B-ORG")
    assert read_folds(out / "folds.tsv")["A"].positives.sum(axis=1).tolist() == [n_org] * 3


@pytest.mark.parametrize(
    "name",
    ["", " ", " A", "A ", '"A', 'A"B', "A\tB", "A\nB", "A\rB", "A\x00", ".A", "a/b", "A\u00a0"],
)
def test_a_name_that_no_table_can_hold_is_refused_before_training(corpus, capsys, name):
    _, out = split(corpus)
    capsys.readouterr()
    code = main(["bcv", "run", str(corpus), "--out", str(out), "--model", name, "crf:iob2"])
    assert code == 2
    error = capsys.readouterr().err
    assert "a name that can be one of a file" in error
    assert error.count("\n") == 1
    assert not (out / "predictions").exists()


def test_names_with_blanks_and_commas_are_read_again(corpus):
    _, out = split(corpus)
    arguments = [
        "--model",
        "my model, 'v2'",
        "cat {validate}",
        "sed s/[^[:space:]].*/O/ {validate}",
    ]
    assert main(["bcv", "run", str(corpus), "--out", str(out), *arguments]) == 0
    assert list(read_folds(out / "folds.tsv")) == ["my model, 'v2'"]


def test_a_run_that_fails_leaves_no_counts_of_an_earlier_one(corpus, capsys):
    _, out = split(corpus)
    program = corpus.parent / "mine.py"
    program.write_text(
        "import sys\n"
        "if sys.argv[2] == sys.argv[3]: sys.exit(1)\n"
        "for line in open(sys.argv[1]): print('O' if line.strip() else '')\n"
    )
    command = f"{sys.executable} {program} {{validate}} {{fold}}"
    run = ["bcv", "run", str(corpus), "--out", str(out), "--model", "mine"]
    assert main([*run, f"{command} never"]) == 0
    assert (out / "folds.tsv").is_file()
    assert main([*run, f"{command} rep2-fold1"]) == 2
    assert "mine, rep2-fold1" in capsys.readouterr().err
    assert not (out / "folds.tsv").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ("A", "crf:nope"),
        ("A", "false"),
        ("../A", "crf:iob2"),
        ("A", "crf:iob2", "--features", "9"),
        ("A", "crf:iob2", "--features", "0", "-1"),
        ("A", "crf:iob2", "--window", "100000000"),
        ("A", "crf:iob2", "tag {validate}"),
    ],
)
def test_a_call_that_is_refused_leaves_an_earlier_run_as_it_was(corpus, capsys, arguments):
    _, out = split(corpus)
    run = ["bcv", "run", str(corpus), "--out", str(out), "--model"]
    assert main([*run, "A", "sh -c 'sed s/.*[^[:space:]].*/O/ \"$1\"' - {validate}"]) == 0
    before = {path: path.read_bytes() for path in sorted(out.rglob("*")) if path.is_file()}
    assert out / "folds.tsv" in before
    assert main([*run, *arguments]) == 2
    assert {path: path.read_bytes() for path in sorted(out.rglob("*")) if path.is_file()} == before


def contents(folder):
    return {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.mark.parametrize(
    "name", ["partition.tsv", "balance.tsv", "folds.tsv", "rep1-fold1/train.conll"]
)
def test_split_does_not_write_or_remove_its_corpus(corpus, capsys, name):
    mine = corpus.parent / "out" / name
    mine.parent.mkdir(parents=True)
    corpus.rename(mine)
    before = contents(corpus.parent)
    call = ["bcv", "split", str(mine), "--out", str(corpus.parent / "out"), "--files", "iob2"]
    assert main(call) == 2
    error = f"{mine}: CORPUS and `OUT/{name}` must be different files."
    assert capsys.readouterr().err == f"sigcore: error: {error}\n"
    assert contents(corpus.parent) == before


@pytest.mark.parametrize(
    ("what", "name"),
    [
        ("CORPUS", "folds.tsv"),
        ("CORPUS", "predictions/A/rep1-fold2.conll"),
        ("CORPUS", "predictions/A/rep9-fold2.conll"),
        ("CORPUS", "work/A/rep3-fold1/train"),
        ("`--partition`", "folds.tsv"),
        ("a file of `--model A`", "work/A/rep3-fold1/model"),
    ],
)
def test_run_does_not_write_or_remove_what_it_reads(corpus, capsys, what, name):
    _, out = split(corpus)
    mine, partition = out / name, out / "partition.tsv"
    mine.parent.mkdir(parents=True, exist_ok=True)
    read = {"CORPUS": corpus, "`--partition`": partition}
    read.setdefault(what, corpus.parent / "model").touch()
    read[what] = read[what].rename(mine)
    before = contents(corpus.parent)
    call = ["bcv", "run", str(read["CORPUS"]), "--out", str(out), "--keep"]
    call += ["--partition", str(read["`--partition`"]), "--model", "A"]
    capsys.readouterr()
    assert main([*call, f"tag {read.get('a file of `--model A`')} {{validate}}"]) == 2
    error = f"{mine}: {what} and `OUT/{name}` must be different files."
    assert capsys.readouterr().err == f"sigcore: error: {error}\n"
    assert contents(corpus.parent) == before


def test_what_is_of_another_partition_is_removed_and_named(corpus, capsys):
    five = ["--repetitions", "5", "--files", "iob2"]
    _, out = split(corpus, *five)
    run = ["bcv", "run", str(corpus), "--out", str(out), "--model", "A"]
    command = "sh -c 'sed s/.*[^[:space:]].*/O/ \"$1\"' - {validate}"
    assert main([*run, command]) == 0
    assert split(corpus, *five)[0] == 0
    assert "removed" not in capsys.readouterr().err
    assert (out / "folds.tsv").exists()
    assert split(corpus, "--seed", "4")[0] == 0
    assert "note: removed what was of another partition: folds.tsv, rep1" in capsys.readouterr().err
    assert not list(out.glob("folds.tsv")) + list(out.glob("rep*"))
    assert main([*run, command]) == 0
    assert len(list((out / "predictions/A").iterdir())) == 6


@pytest.mark.parametrize("name", ["folds.tsv", "rep1-fold2/train.conll"])
def test_files_of_no_partition_are_not_removed(corpus, capsys, name):
    mine = corpus.parent / "out" / name
    mine.parent.mkdir(parents=True)
    mine.write_text("mine")
    code, out = split(corpus)
    assert code == 2
    assert f"{mine}: this file is in the way" in capsys.readouterr().err
    assert [path for path in out.rglob("*") if path.is_file()] == [mine]
    assert mine.read_text() == "mine"


@pytest.mark.parametrize("name", ["folds.tsv", "predictions/A/rep1-fold2.conll"])
def test_folders_with_the_names_of_files_are_not_removed(corpus, capsys, name):
    _, out = split(corpus)
    mine = out / name
    mine.mkdir(parents=True)
    (mine / "mine").touch()
    assert split(corpus, "--seed", "4")[0] == 0
    capsys.readouterr()
    assert main(["bcv", "run", str(corpus), "--out", str(out), "--model", "A", "crf:iob2"]) == 2
    error = f"{mine}: is a folder; the name of a file was expected."
    assert capsys.readouterr().err == f"sigcore: error: {error}\n"
    assert (mine / "mine").exists()


def test_a_partition_that_is_no_text_is_replaced(corpus, capsys):
    _, out = split(corpus)
    written = (out / "partition.tsv").read_bytes()
    (out / "partition.tsv").write_bytes(b"\xff")
    (out / "folds.tsv").write_text("of no partition")
    assert split(corpus)[0] == 0
    assert (out / "partition.tsv").read_bytes() == written
    assert not (out / "folds.tsv").exists()


def test_a_failing_run_does_not_remove_the_folder_that_it_writes_to(corpus, capsys):
    _, out = split(corpus)
    (out / "partition.tsv").rename(corpus.parent / "p.tsv")
    (out / "balance.tsv").unlink()
    (out / "folds.tsv").write_text("of an earlier run")
    run = ["bcv", "run", str(corpus), "--out", str(out), "--model", "m", "false {validate}"]
    assert main([*run, "--partition", str(corpus.parent / "p.tsv")]) == 2
    assert out.is_dir()
    assert not (out / "folds.tsv").exists()


def test_counts_are_removed_before_another_partition_is_written(corpus, capsys, monkeypatch):
    _, out = split(corpus)
    (out / "folds.tsv").write_text("of the first partition")

    def fail(*_):
        raise OSError("no space left")

    monkeypatch.setattr("sigcore.io.partitions.write_text", fail)
    assert split(corpus, "--seed", "1")[0] == 2
    assert not (out / "folds.tsv").exists()


def test_a_kept_model_is_not_found_by_the_next_run(corpus):
    _, out = split(corpus)
    run = ["bcv", "run", str(corpus), "--out", str(out), "--keep", "--model", "A"]
    command = (
        "sh -c 'test ! -e $1 && touch $1 && sed s/.*[^[:space:]].*/O/ $2' - {model} {validate}"
    )
    assert [main([*run, command]) for _ in range(2)] == [0, 0]
    assert (out / "work/A/rep3-fold2/model").is_file()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a\tB-X\n\nb\tO\n\nc\tO\n", "at least 4 sentences, one for each block of 3 x 2 folds"),
        ("a\tO\n\n" * 20, "must have at least one chunk"),
    ],
)
def test_a_corpus_that_cannot_be_cut_is_named(tmp_path, capsys, text, words):
    path = tmp_path / "corpus.conll"
    path.write_text(text, encoding="utf-8")
    assert main(["bcv", "split", str(path), "--out", str(tmp_path / "out")]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"sigcore: error: {path}: must have at least")
    assert words in error
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--model", "A", "crf:iob9"], "`tag_set` must be one of"),
        (["--model", "A"], "must also say crf:TAGSET or a command"),
        (["--model", "../A", "crf:iob2"], "a name that can be one of a file"),
        (["--model", "A", "crf:iob2", "--model", "A", "crf:iobes"], "another name for each model"),
        (["--model", "A", "crf:iob2", "--features", "9"], "`--features` must be from 0 to 1, the"),
        (
            ["--model", "A", "crf:iob2", "--window", "1001"],
            "`window` must be at most 1000; got 1001",
        ),
        (
            ["--model", "A", "crf:iob2", "tag"],
            "`--model A crf:iob2` must end here; got 'tag' after",
        ),
        (["--types", "ORGG", "--model", "A", "crf:iob2"], "corpus.conll: `types` must be among"),
        (["--model", "A", "learn {train}"], "must have {validate} in one of them"),
        (["--model", "A", "false {validate}"], "model A, rep1-fold1: 'false {validate}' ended"),
        (
            ["--model", "A", "crf:iob2", "--partition", "nowhere.tsv"],
            "`sigcore bcv split` makes it",
        ),
        (
            ["--model", "A", "cat {validate}"],
            "iob2 (model A, rep1-fold1). (`--keep` keeps this file.)",
        ),
    ],
)
def test_bad_models_end_in_one_line(corpus, capsys, arguments, words):
    _, out = split(corpus)
    capsys.readouterr()
    assert main(["bcv", "run", str(corpus), "--out", str(out), *arguments]) == 2
    errors = capsys.readouterr().err
    assert errors.startswith("sigcore: error: ")
    assert words in errors
    assert not (out / "folds.tsv").exists()


def test_a_run_that_is_stopped_ends_its_program_and_leaves_no_folder(corpus, tmp_path):
    _, out = split(corpus)
    program, temporary, started = tmp_path / "mine.py", tmp_path / "temporary", tmp_path / "started"
    temporary.mkdir()
    program.write_text(
        "import os, pathlib, sys, time\n"
        "part = pathlib.Path(sys.argv[1] + '.part')\n"
        "part.write_text(str(os.getpid()))\n"
        "part.rename(sys.argv[1])\n"
        "time.sleep(600)\n"
    )
    call = [sys.executable, "-m", "sigcore.cli.main", "bcv", "run", str(corpus), "--out", str(out)]
    call += ["--model", "mine", f"{sys.executable} {program} {started} {{validate}}"]
    environment = os.environ | {"TMPDIR": str(temporary)}
    with subprocess.Popen(call, env=environment, stderr=subprocess.PIPE, text=True) as running:
        while not started.exists():
            assert running.poll() is None, running.stderr.read()
            time.sleep(0.05)
        running.terminate()
        assert running.wait(60) == 130
        assert "sigcore: interrupted\n" in running.stderr.read()
    with pytest.raises(ProcessLookupError):
        os.kill(int(started.read_text()), 0)
    assert not any(temporary.iterdir())
