import numpy as np
import pytest

from sigcore.bayes.corpus import partition_corpus
from sigcore.bayes.corpus_simulation import simulate_corpus
from sigcore.bayes.crossvalidation import CrfModel, count_chunks, fold_name, run_fold
from sigcore.errors import InputError
from sigcore.parsing.tagging import Span


class Oracle:
    """Knows the chunks of the corpus and says which halves it was shown."""

    name = "oracle"
    tag_set = "iobes"

    def __init__(self):
        self.halves = []

    def predict(self, training, validation, *, folder, fold):
        assert folder.is_dir()
        self.halves.append((fold, set(training.sentences), set(validation.sentences)))
        return validation.tags("iobes")


class Blind(Oracle):
    """Predicts no chunk at all."""

    def predict(self, training, validation, *, folder, fold):
        return [["O"] * len(sentence) for sentence in validation.sentences]


@pytest.fixture(scope="module")
def corpus():
    return simulate_corpus(120, seed=0)


@pytest.fixture(scope="module")
def folds(corpus):
    return list(partition_corpus(corpus).folds())


def test_chunks_count_as_correct_only_with_start_end_and_type():
    gold = [[Span(0, 2, "A"), Span(3, 4, "B")], [], [Span(1, 2, "A")]]
    found = [[Span(0, 2, "B"), Span(3, 4, "B")], [Span(0, 1, "A")], [Span(1, 3, "A")]]
    assert count_chunks(gold, found) == (3, 4, 1)
    with pytest.raises(InputError, match="the 3 sentences of `gold`; got 2"):
        count_chunks(gold, found[:2])


def test_an_oracle_finds_all_and_a_blind_model_nothing(corpus, folds, tmp_path):
    for fold in folds:
        n_gold = sum(len(corpus.chunks[k]) for k in fold.validation)
        run = run_fold(corpus, fold, Oracle(), folder=tmp_path / "a")
        assert (run.gold, run.predicted, run.correct) == (n_gold, n_gold, n_gold)
        run = run_fold(corpus, fold, Blind(), folder=tmp_path / "b")
        assert (run.gold, run.predicted, run.correct) == (n_gold, 0, 0)


def test_a_model_sees_the_halves_of_its_fold(corpus, folds, tmp_path):
    oracle = Oracle()
    run_fold(corpus, folds[3], oracle, folder=tmp_path)
    name, training, validation = oracle.halves[0]
    assert name == fold_name(folds[3]) == "rep2-fold2"
    assert training == {corpus.sentences[k] for k in folds[3].training}
    assert validation == {corpus.sentences[k] for k in folds[3].validation}


def test_the_built_in_tagger_beats_a_table_of_words(corpus, folds, tmp_path):
    # A model without context: each word has the tag it had most often.
    fold = folds[0]
    run = run_fold(corpus, fold, CrfModel("crf", "iob2"), folder=tmp_path)
    counts: dict[str, dict[str, int]] = {}
    tags = corpus.tags("iob2")
    for k in fold.training:
        for (word, _), tag in zip(corpus.sentences[k], tags[k], strict=True):
            seen = counts.setdefault(word, {})
            seen[tag] = seen.get(tag, 0) + 1
    right = {word: max(seen, key=seen.get) for word, seen in counts.items()}
    by_table = [
        np.mean([right.get(word, "O") == tag for (word, _), tag in pairs])
        for k in fold.validation
        if (pairs := list(zip(corpus.sentences[k], tags[k], strict=True)))
    ]
    by_crf = [
        np.mean([mine == tag for mine, tag in zip(found, tags[k], strict=True)])
        for k, found in zip(fold.validation, run.tags, strict=True)
    ]
    assert np.mean(by_crf) > np.mean(by_table) + 0.02
    assert run.correct / run.gold > 0.5


def test_the_same_fold_gives_the_same_counts(corpus, folds, tmp_path):
    model = CrfModel("crf", "bb2b3mes")
    runs = [run_fold(corpus, folds[0], model, folder=tmp_path / name) for name in ("one", "two")]
    assert runs[0] == runs[1]
    assert (tmp_path / "one/model.crfsuite").read_bytes() == (
        tmp_path / "two/model.crfsuite"
    ).read_bytes()
    assert list(runs[0].to_record()) == ["model", "rep", "fold", "gold", "predicted", "correct"]


def test_an_unknown_tag_set_is_refused():
    with pytest.raises(InputError, match="`tag_set` must be one of"):
        CrfModel("crf", "iob1")
