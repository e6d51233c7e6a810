import sys
from itertools import pairwise, product

import pycrfsuite
import pytest

from sigcore.bayes.corpus_simulation import simulate_corpus
from sigcore.bayes.tagger import TaggerSettings, predict_tags, token_features, train_tagger
from sigcore.errors import InputError

SENTENCE = [["a", "X"], ["b", "Y"], ["c", "Z"], ["d", "W"]]


def test_features_are_the_ngrams_of_word_and_part_of_speech_in_the_window():
    # Wang & Li (2019), section 4.2: uni-, bi- and trigrams of word and POS, window [-2, 2]:
    # 5 + 4 + 3 features of each column.
    found = token_features(SENTENCE)[2]
    assert len(found) == 24
    assert found[:12] == [
        *("0:-2 a", "0:-1 b", "0:0 c", "0:1 d", "0:2 >1"),
        *("0:-2 a\tb", "0:-1 b\tc", "0:0 c\td", "0:1 d\t>1"),
        *("0:-2 a\tb\tc", "0:-1 b\tc\td", "0:0 c\td\t>1"),
    ]
    assert found[12:] == [
        feature.replace("0:", "1:", 1).translate(str.maketrans("abcd", "XYZW"))
        for feature in found[:12]
    ]


def test_beyond_the_sentence_there_are_markers_with_their_distance():
    first = token_features([["a"]])[0]
    assert first[:5] == ["0:-2 <2", "0:-1 <1", "0:0 a", "0:1 >1", "0:2 >2"]


def test_columns_and_window_can_be_chosen():
    settings = TaggerSettings(columns=(1,), window=0)
    assert token_features(SENTENCE, settings=settings)[1] == ["1:0 Y"]
    with pytest.raises(InputError, match="`columns` must be from 0 to 1"):
        token_features(SENTENCE, settings=TaggerSettings(columns=(2,)))
    with pytest.raises(InputError, match="`window` must be at most 1000; got 1001"):
        TaggerSettings(window=1001)
    for value in (-1.0, float("inf"), float("nan"), "x"):
        with pytest.raises(InputError, match="`l2`"):
            TaggerSettings(l2=value)


def test_the_predicted_tags_are_the_best_of_all_sequences(tmp_path):
    # The weights of the model, summed over every sequence of tags of a short sentence.
    corpus = simulate_corpus(60, seed=3)
    path = tmp_path / "model"
    train_tagger(corpus.sentences, corpus.tags("iob2"), path)
    tagger = pycrfsuite.Tagger()
    tagger.open(str(path))
    weights = tagger.info()
    labels = tagger.labels()
    sentence = corpus.sentences[7][:4]
    features = token_features(sentence)

    def score(tags):
        states = sum(
            weights.state_features.get((feature, tag), 0.0)
            for found, tag in zip(features, tags, strict=True)
            for feature in found
        )
        return states + sum(weights.transitions.get(pair, 0.0) for pair in pairwise(tags))

    best = max(product(labels, repeat=len(sentence)), key=score)
    assert predict_tags([sentence], path) == [list(best)]


def test_the_tag_may_depend_on_a_neighbour_or_a_pair_of_words(tmp_path):
    # "x" is a chunk after "p", and after "q r", but not after "r" alone.
    sentences = [[["p"], ["x"]], [["r"], ["x"]], [["q"], ["r"], ["x"]], [["s"], ["x"]]] * 10
    tags = [["O", "B"], ["O", "O"], ["O", "O", "B"], ["O", "O"]] * 10
    train_tagger(sentences, tags, tmp_path / "model")
    assert predict_tags(sentences[:4], tmp_path / "model") == tags[:4]
    blind = TaggerSettings(window=0)
    train_tagger(sentences, tags, tmp_path / "blind", settings=blind)
    assert predict_tags(sentences[:4], tmp_path / "blind", settings=blind) != tags[:4]


def test_the_same_sentences_give_the_same_bytes(tmp_path):
    corpus = simulate_corpus(40, seed=1)
    for name in ("one", "two"):
        train_tagger(corpus.sentences, corpus.tags("iobes"), tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_without_crfsuite_the_message_says_what_to_install(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "pycrfsuite", None)
    with pytest.raises(InputError, match=r"pip install 'sigcore\[tagger\]'"):
        train_tagger([[["a"]]], [["O"]], tmp_path / "model")


def test_sentences_without_tags_are_refused(tmp_path):
    with pytest.raises(InputError, match="got 0 for 1 sentences"):
        train_tagger([[["a"]]], [], tmp_path / "model")
