from dataclasses import replace

import numpy as np
import pytest

from sigcore.bayes.corpus import partition_corpus
from sigcore.bayes.corpus_simulation import simulate_corpus
from sigcore.bayes.crossvalidation import FoldRun
from sigcore.errors import DataFileError
from sigcore.io.corpora import read_corpus
from sigcore.io.folds import read_folds
from sigcore.io.partitions import (
    balance_records,
    check_corpus,
    read_partition,
    write_balance,
    write_fold_counts,
    write_halves,
    write_partition,
    write_predictions,
)


@pytest.fixture(scope="module")
def corpus():
    return simulate_corpus(41, seed=0)


@pytest.fixture
def path(tmp_path, corpus):
    target = tmp_path / "partition.tsv"
    write_partition(target, corpus, partition_corpus(corpus))
    return target


@pytest.mark.parametrize("repetitions", [1, 3, 5])
def test_folds_are_read_as_they_were_written(tmp_path, corpus, repetitions):
    partition = partition_corpus(corpus, n_repetitions=repetitions)
    write_partition(tmp_path / "table", corpus, partition)
    for fold, again in zip(
        partition.folds(), read_partition(tmp_path / "table", corpus), strict=True
    ):
        assert (fold.repetition, fold.fold) == (again.repetition, again.fold)
        assert np.array_equal(fold.training, again.training)
        assert np.array_equal(fold.validation, again.validation)


def test_the_order_of_rows_does_not_matter(path, corpus):
    expected = [fold.validation.tolist() for fold in read_partition(path, corpus)]
    head, *rows = path.read_text().splitlines()
    path.write_text("\n".join([head, *rows[::-1]]) + "\n")
    assert [fold.validation.tolist() for fold in read_partition(path, corpus)] == expected


def edit(path, number, text):
    lines = path.read_text().splitlines()
    lines[number - 1 : number] = [] if text is None else [text]
    path.write_text("\n".join(lines) + "\n")


@pytest.mark.parametrize(
    ("number", "text", "words"),
    [
        (1, "sentence\tfold", "1: expected the columns sentence, line"),
        (2, "1\t0\tx\t1\t1\t1", "2: must have 6 whole numbers"),
        (2, "1\t0\t3", "2: must have 6 whole numbers"),
        (2, "99\t0\t5\t1\t1\t1", "2: has a sentence 99 of 5 tokens, which the corpus has not"),
        (2, "1\t0\t999\t1\t1\t1", "2: has a sentence 1 of 999 tokens"),
        (4, None, "sentence 1 is missing in repetition 3"),
    ],
)
def test_a_table_that_does_not_fit_is_refused(path, corpus, number, text, words):
    edit(path, number, text)
    with pytest.raises(DataFileError) as caught:
        read_partition(path, corpus)
    assert words in str(caught.value)


def test_rows_that_contradict_the_design_are_refused(path, corpus):
    row = path.read_text().splitlines()[1].split("\t")
    edit(path, 3, "\t".join(row))
    with pytest.raises(DataFileError, match="3: sentence 1 occurs twice in repetition 1"):
        read_partition(path, corpus)
    edit(path, 3, "\t".join([*row[:4], "2", "3"]))
    with pytest.raises(DataFileError, match="3: rep must be 1 or more and fold 1 or 2"):
        read_partition(path, corpus)
    path.write_text("\t".join(["sentence", "line", "tokens", "block", "rep", "fold"]) + "\n")
    with pytest.raises(DataFileError, match="has no rows"):
        read_partition(path, corpus)


def test_a_half_without_sentences_is_refused(path, corpus):
    head, *rows = path.read_text().splitlines()
    rows = [row[:-1] + "1" if row.split("\t")[4] == "2" else row for row in rows]
    path.write_text("\n".join([head, *rows]) + "\n")
    with pytest.raises(DataFileError, match="all sentences are in fold 1 in repetition 2"):
        read_partition(path, corpus)


@pytest.mark.parametrize(
    ("size", "repetitions", "words"),
    [(3, 3, "at least 4 sentences, one for each block of 3 x 2"), (7, 5, "at least 8 sentences")],
)
def test_a_corpus_with_fewer_sentences_than_blocks_is_named(corpus, size, repetitions, words):
    small = corpus.select(range(size))
    with pytest.raises(DataFileError, match=words) as caught:
        check_corpus("my.conll", small, n_repetitions=repetitions)
    assert str(caught.value).startswith("my.conll: ")
    assert check_corpus("my.conll", corpus.select(range(8)), n_repetitions=5) is None


def test_a_corpus_without_chunks_is_named(corpus):
    with pytest.raises(DataFileError, match="conll: must have at least one chunk"):
        check_corpus("my.conll", replace(corpus, chunks=((),) * 41), n_repetitions=3)


def test_a_partition_of_another_corpus_is_refused(path):
    with pytest.raises(DataFileError, match="the partition must be one of this corpus"):
        read_partition(path, simulate_corpus(41, seed=1))
    with pytest.raises(DataFileError, match="which the corpus has not"):
        read_partition(path, simulate_corpus(40, seed=0))


def test_the_balance_says_how_far_halves_differ(tmp_path, corpus):
    partition = partition_corpus(corpus)
    records = {record["unit"]: record for record in balance_records(partition)}
    for unit, count in (("tokens", corpus.n_tokens), ("chunks", corpus.n_chunks)):
        assert records[unit]["total"] == count
        assert records[unit]["share"] == records[unit]["largest_difference"] / count
    gaps = [
        abs(corpus.select(f.training).n_tokens - corpus.select(f.validation).n_tokens)
        for f in partition.folds()
    ]
    assert records["tokens"]["largest_difference"] == max(gaps)
    write_balance(tmp_path / "balance.tsv", partition)
    lines = (tmp_path / "balance.tsv").read_text().splitlines()
    assert lines[0].split("\t")[:2] == ["unit", "total"]
    assert len(lines) == 1 + len(records)


def test_halves_and_predictions_are_files_of_columns(tmp_path, corpus):
    fold = next(partition_corpus(corpus).folds())
    write_halves(tmp_path, corpus, fold, tag_set="bmes")
    for name, positions in (("train", fold.training), ("validate", fold.validation)):
        half = read_corpus(tmp_path / f"rep1-fold1/{name}.conll", scheme="bmes")
        assert half.chunks == corpus.select(positions).chunks
    half = corpus.select(fold.validation)
    run = FoldRun("m", 1, 1, 0, 0, 0, [["O"] * len(sentence) for sentence in half.sentences])
    write_predictions(tmp_path, corpus, fold, run, tag_set="iob2")
    path = tmp_path / "rep1-fold1.conll"
    assert read_corpus(path, tag_column=2).chunks == half.chunks
    assert read_corpus(path, tag_column=3).n_chunks == 0


def test_counts_are_what_the_bayes_test_reads(tmp_path):
    runs = [
        FoldRun(model, rep, fold, 100 + rep, 90 + fold, 80, [])
        for model in ("A", "B")
        for rep in (1, 2, 3)
        for fold in (1, 2)
    ]
    runs[-1] = replace(runs[-1], correct=70)
    write_fold_counts(tmp_path / "folds.tsv", [run.to_record() for run in runs])
    found = read_folds(tmp_path / "folds.tsv")
    assert list(found) == ["A", "B"]
    assert found["A"].counts[1, 0].tolist() == [80, 11, 22]
    assert found["B"].counts[2, 1].tolist() == [70, 22, 33]
