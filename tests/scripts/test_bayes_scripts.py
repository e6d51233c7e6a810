"""What the scripts of the Bayes test say of tables and corpora that they cannot use."""

from types import SimpleNamespace

import pytest

from scripts import compare_folds, draw_posteriors, split_corpus
from scripts._bayes import plan_bayes, program_digests
from sigcore.errors import DataFileError, InputError

HEADER = "model\trep\tfold\tTP\tFP\tFN\n"


def rows(model, repetitions=3):
    return "".join(
        f"{model}\t{rep}\t{fold}\t{80 + fold}\t20\t{20 - fold}\n"
        for rep in range(1, repetitions + 1)
        for fold in (1, 2)
    )


class Inputs(list):
    """Input files as Snakemake gives them: a list, and by name."""

    corpus = ()

    @property
    def counts(self):
        return list(self)


def job(tmp_path, *paths):
    names = ("tests", "csv", "latex", "markdown", "others", "inputs")
    return SimpleNamespace(
        input=Inputs(map(str, paths)),
        output=SimpleNamespace(
            images=[str(tmp_path / "out/task.png")],
            **{name: str(tmp_path / "out" / f"{name}.parquet") for name in names},
        ),
        params=SimpleNamespace(
            tasks=[path.stem for path in paths],
            paper=False,
            made=[],
            programs={},
            settings={"prior": 1.0, "credibility": 0.95},
        ),
    )


@pytest.mark.parametrize("script", [compare_folds, draw_posteriors])
@pytest.mark.parametrize(
    ("text", "words"),
    [
        (rows("A"), "must have the folds of two models, the baseline first; it has 1: A."),
        (rows("A") + rows("B") + rows("C"), "the baseline first; it has 3: A, B, C."),
        (rows("A") + rows("B", 2), "has no row for model B, repetition 3, fold 1, model B,"),
    ],
)
def test_a_table_that_is_not_of_two_models_is_named(tmp_path, script, text, words):
    good, bad = tmp_path / "good.tsv", tmp_path / "bad.tsv"
    good.write_text(HEADER + rows("A") + rows("B"), encoding="utf-8")
    bad.write_text(HEADER + text, encoding="utf-8")
    with pytest.raises(DataFileError) as caught:
        script.main(job(tmp_path, good, bad))
    assert str(caught.value).startswith(f"{bad}: ")
    assert words in str(caught.value)
    assert not (tmp_path / "out").exists()


def test_tables_of_two_models_are_drawn(tmp_path):
    good = tmp_path / "good.tsv"
    good.write_text(HEADER + rows("A") + rows("B"), encoding="utf-8")
    draw_posteriors.main(job(tmp_path, good))
    found = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert found == ["good.pdf", "good.png", "good.svg"]


def test_a_corpus_that_is_too_small_is_named(tmp_path):
    corpus = tmp_path / "corpus.conll"
    corpus.write_text("a\tB-X\n\nb\tO\n\nc\tO\n", encoding="utf-8")
    reading = {"tag_column": -1, "scheme": "iob2", "types": [], "typed": True}
    partition = tmp_path / "out/partition.tsv"
    job = SimpleNamespace(
        input=SimpleNamespace(corpus=str(corpus)),
        output=SimpleNamespace(partition=str(partition), balance=str(tmp_path / "out/balance")),
        params=SimpleNamespace(reading=reading, balance=["types"], repetitions=3, seed=0),
    )
    with pytest.raises(DataFileError, match="must have at least 4 sentences") as caught:
        split_corpus.main(job)
    assert caught.value.path == corpus
    assert not partition.exists()


@pytest.fixture
def settings(tmp_path):
    corpus = tmp_path / "corpus.conll"
    corpus.write_text("a\tB-X\n\n" * 8, encoding="utf-8")
    tagger = {"columns": [], "window": 2, "l2": 1.0, "max_iterations": 1000}
    models = {"A": {"tags": "iob2"}, "B": {"command": ["tag {validate}"]}}
    return {
        "corpus": str(corpus), "folds": {}, "paper": False, "repetitions": 3, "models": models,
        "tagger": tagger,
    }  # fmt: skip


def plan(settings):
    return plan_bayes({"bayes": settings, "batches": {"folds_per_job": 0}}, "results")


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("learn {train}", "must have {validate} in one of them"),
        ("tag '{validate}", "No closing quotation"),
        (" ", "must have {validate}"),
    ],
)
def test_a_command_that_can_be_none_of_a_model_is_refused_at_planning(settings, command, words):
    assert plan(settings).models == ("A", "B")
    settings["models"]["B"]["command"] = [command]
    with pytest.raises(InputError) as caught:
        plan(settings)
    assert str(caught.value).startswith("configuration: `bayes.models.B.command`: ")
    assert words in str(caught.value)


@pytest.mark.parametrize(("corpus", "column"), [("", 1), ("simulated", 2)])
def test_columns_that_the_corpus_lacks_are_refused_at_planning(settings, corpus, column):
    settings["corpus"] = corpus or settings["corpus"]
    settings["tagger"]["columns"] = [column - 1]
    plan(settings)
    settings["tagger"]["columns"] = [column]
    with pytest.raises(InputError) as caught:
        plan(settings)
    assert str(caught.value) == (
        f"configuration: `bayes.tagger.columns` must be from 0 to {column - 1}, the columns of a "
        f"token; got {column}."
    )
    # Programs have their own way with columns.
    settings["models"]["A"] = settings["models"]["B"]
    plan(settings)


def test_an_edited_program_has_another_digest(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    models = [{"tags": "iob2"}, {"command": ["python mine.py {validate}"]}]
    assert program_digests(models) == {}
    (tmp_path / "mine.py").write_text("1")
    first = program_digests(models)
    (tmp_path / "mine.py").write_text("2")
    assert list(first) == list(program_digests(models)) == ["mine.py"]
    assert first != program_digests(models)
