"""`sigcore spans` on small files of every format."""

import argparse
import json

import numpy as np
import pytest

from sigcore.cli import _span_files, spans
from sigcore.comparison.multiplicity import ADJUSTMENTS
from sigcore.errors import DataFileError, InputError
from sigcore.io.conllu import WORD_MEASURES
from sigcore.io.spans import read_tag_columns
from sigcore.parsing.annotation import count_spans
from sigcore.parsing.compare import compare_parsers
from sigcore.parsing.tagging import SCHEMES


def run(*arguments):
    parser = argparse.ArgumentParser()
    spans.add_parser(parser.add_subparsers())
    parsed = parser.parse_args(["spans", *map(str, arguments)])
    return parsed.run(parsed)


def tagged(noise, seed):
    """Return 40 sentences of 8 tokens with tags of three types, some of them wrong."""
    gold, rng = np.random.default_rng(0), np.random.default_rng(seed)
    sentences = []
    for _ in range(40):
        tags = gold.choice(["O", "B-LOC", "B-ORG", "B-PER"], size=8, p=[0.7, 0.1, 0.1, 0.1])
        tags = np.where(rng.random(8) < noise, "O", tags)
        sentences.append("".join(f"w{i} {tag}\n" for i, tag in enumerate(tags)))
    return "\n".join(sentences)


@pytest.fixture
def files(tmp_path):
    texts = {"gold": tagged(0, 0), "a": tagged(0.1, 1), "b": tagged(0.3, 2), "c": tagged(0.5, 3)}
    paths = []
    for name, text in texts.items():
        paths.append(tmp_path / f"{name}.txt")
        paths[-1].write_text(text)
    return paths


def test_choices_are_those_of_the_library():
    assert _span_files.WORD_MEASURES == WORD_MEASURES
    assert set(_span_files.SCHEMES) == set(SCHEMES)
    assert set(spans.CORRECTIONS) == set(ADJUSTMENTS)


def test_the_table_has_the_figures_of_the_library(files, capsys):
    assert run(*files[:3]) == 0
    out = capsys.readouterr().out
    gold, *systems = (read_tag_columns(path).annotation for path in files[:3])
    result = compare_parsers(*(count_spans(gold, system) for system in systems))
    assert "A = a, B = b\n40 sentences." in out
    for entry in result.measures:
        assert f"{100 * entry.value_a:.2f}" in out
        assert f"{entry.pvalue:.4g}" in out


def test_types_are_compared_two_sided_and_corrected(files, capsys):
    run(*files[:3], "--by-type", "--measure", "f1", "--correction", "bonferroni")
    out = capsys.readouterr().out
    assert "p (bonferroni)" in out
    assert "two-sided" in out
    run(*files[:3], "--by-type", "--measure", "f1", "--correction", "bonferroni", "--json")
    results = json.loads(capsys.readouterr().out)["results"]
    assert [result["part"] for result in results] == ["all", "LOC", "ORG", "PER"]
    for result in results[1:]:
        pvalue = result["measures"][0]["pvalue"]
        assert result["adjusted"]["f1"] == pytest.approx(min(1, 3 * pvalue))


def test_more_systems_are_compared_in_all_pairs(files, capsys):
    assert run(*files) == 0
    out = capsys.readouterr().out
    assert out.startswith("all:")
    assert "| a   | c   |" in out
    assert "3 pairs" in out
    run(*files, "--measure", "recall", "--by-type", "--json")
    results = json.loads(capsys.readouterr().out)["results"]
    assert [(result["part"], result["measure"]) for result in results] == [
        (part, "recall") for part in ("all", "LOC", "ORG", "PER")
    ]


def test_all_formats_of_spans_agree(files, tmp_path, capsys):
    for path in files[:3]:
        annotation = read_tag_columns(path).annotation
        pairs = list(zip(annotation.sentences, annotation.spans, strict=True))
        table = [f"{label}\t{s.start}\t{s.end}\t{s.type}\n" for label, row in pairs for s in row]
        path.with_suffix(".tsv").write_text("".join(table))
        lines = [json.dumps({"id": label, "spans": row}) + "\n" for label, row in pairs]
        path.with_suffix(".jsonl").write_text("".join(lines))
    pvalues = []
    for suffix, options in ((".txt", ()), (".tsv", ("--format", "table")), (".jsonl", ())):
        paths = [path.with_suffix(suffix) for path in files[:3]]
        run(*paths, "--measure", "f1", "--json", *options)
        (result,) = json.loads(capsys.readouterr().out)["results"]
        pvalues.append(result["measures"][0]["pvalue"])
    assert pvalues[0] == pvalues[1] == pvalues[2]


def test_columns_can_be_chosen_for_gold_standard_and_systems(tmp_path, capsys):
    path = tmp_path / "out.txt"
    path.write_text("a B-X B-X\nb O B-X\n")
    run(path, path, path, "--gold-column", 1, "--json")
    (result,) = json.loads(capsys.readouterr().out)["results"]
    precision = result["measures"][1]
    assert (precision["measure"], precision["value_a"]) == ("precision", 0.5)


def test_remarks_on_tags_go_to_standard_error(tmp_path, capsys):
    path = tmp_path / "x.txt"
    path.write_text("a O\nb I-X\n")
    run(path, path, path)
    assert "x.txt:2: I-X is out of place in iob2; read as conlleval does" in capsys.readouterr().err
    run(path, path, path, "--strict", "--json")
    output = json.loads(capsys.readouterr().out)
    assert output["files"][0]["remarks"] == [
        {"line": 2, "text": "I-X is out of place in iob2; its span dropped"}
    ]


def conllu(rows):
    lines = [
        f"{i}\tw{i}\t_\t{upos}\t{xpos}\t_\t{head}\t{rel}\t_\t_\n"
        for i, (upos, xpos, head, rel) in enumerate(rows, start=1)
    ]
    return "".join(lines) + "\n"


GOLD_ROWS = [("NOUN", "_", 2, "nsubj"), ("VERB", "_", 0, "root"), ("PUNCT", "_", 2, "punct")]
WRONG_ROWS = [("VERB", "_", 2, "obj"), ("VERB", "_", 0, "root"), ("PUNCT", "_", 1, "punct")]


@pytest.fixture
def trees(tmp_path):
    texts = {
        "gold": conllu(GOLD_ROWS) * 4,
        "a": conllu(GOLD_ROWS) * 4,
        "b": conllu(WRONG_ROWS) * 4,
    }
    for name, text in texts.items():
        (tmp_path / f"{name}.conllu").write_text(text)
    return [tmp_path / f"{name}.conllu" for name in texts]


def test_words_are_compared_by_what_the_gold_standard_has(trees, capsys):
    run(*trees, "--json")
    results = json.loads(capsys.readouterr().out)["results"]
    assert [result["part"] for result in results] == ["upos", "uas", "las"]
    values = [result["measures"][0]["value_b"] for result in results]
    assert values == pytest.approx([2 / 3, 2 / 3, 1 / 3])
    # All four sentences favour A: one of 2^4 swaps.
    assert [result["measures"][0]["pvalue"] for result in results] == [1 / 16] * 3
    run(*trees, "--no-punctuation")
    out = capsys.readouterr().out
    assert "| uas  | accuracy (%) | 100.00 | 100.00 |" in out


def test_what_does_not_go_together_is_refused(files, trees, tmp_path):
    with pytest.raises(InputError, match="two systems or more are needed; got 1"):
        run(*files[:2])
    with pytest.raises(InputError, match=r"`--measure` must be one of recall, .*; got uas"):
        run(*files[:3], "--measure", "uas")
    with pytest.raises(InputError, match=r"`--measure` must be one of upos, uas, las .*; got xpos"):
        run(*trees, "--measure", "xpos")
    with pytest.raises(InputError, match="`--by-type` is for spans"):
        run(*trees, "--by-type")
    empty = tmp_path / "empty.conllu"
    empty.write_text(conllu([("_", "_", "_", "_")]))
    with pytest.raises(DataFileError, match="has neither tags nor trees"):
        run(empty, empty, empty)
