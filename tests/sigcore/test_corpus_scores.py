"""BLEU and chrF from summed statistics against sacrebleu's own corpus scores."""

import importlib
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sigcore.errors import InputError
from sigcore.meta.corpus import corpus_pvalues
from sigcore.meta.corpus_scores import CORPUS_SCORES, bleu_score, chrf_score, text_statistics

sacrebleu = pytest.importorskip("sacrebleu")

REFERENCE = [
    "The quick brown fox jumps over the lazy dog .",
    "A man, a plan, a canal: Panama!",
    "It costs 3.50 euros (about $4) today.",
    "Yes.",
]
GOOD = [
    "The quick brown fox jumped over the lazy dog .",
    "A man, a plan, a canal, Panama!",
    "It costs 3.50 euros (about $4) now.",
    "Yes!",
]
BAD = ["A fast fox goes over dogs", "Plan of a canal", "Today it is 3.50", ""]
NO_FOURGRAMS = ["The fox", "A man", "It costs", "No ."]
NOTHING = ["zzz", "qqq", "xxx", "www"]


def own_score(metric, outputs, references, **options):
    statistics = text_statistics([outputs], references, metric=metric, **options)
    return float(CORPUS_SCORES[metric](statistics.sum(axis=1))[0])


@pytest.mark.parametrize("outputs", [GOOD, BAD, NO_FOURGRAMS, NOTHING, REFERENCE, [""] * 4])
def test_scores_equal_those_of_sacrebleu(outputs):
    theirs = sacrebleu.corpus_bleu(outputs, [REFERENCE]).score
    assert own_score("bleu", outputs, [REFERENCE]) == pytest.approx(theirs, rel=1e-12, abs=1e-12)
    theirs = sacrebleu.corpus_chrf(outputs, [REFERENCE]).score
    assert own_score("chrf", outputs, [REFERENCE]) == pytest.approx(theirs, rel=1e-12, abs=1e-12)


def test_several_references_and_options_go_to_sacrebleu():
    references = [REFERENCE, GOOD]
    theirs = sacrebleu.corpus_bleu(BAD, references, lowercase=True, tokenize="char").score
    ours = own_score("bleu", BAD, references, lowercase=True, tokenize="char")
    assert ours == pytest.approx(theirs, rel=1e-12)
    theirs = sacrebleu.corpus_chrf(BAD, references, word_order=2).score
    assert own_score("chrf", BAD, references, word_order=2) == pytest.approx(theirs, rel=1e-12)


def test_chinese_has_its_own_tokeniser():
    reference, output = ["我们今天去公园。", "他很高兴。"], ["我们今天去了公园。", "他很高兴！"]
    theirs = sacrebleu.corpus_bleu(output, [reference], tokenize="zh").score
    ours = own_score("bleu", output, [reference], target_language="zh")
    assert ours == pytest.approx(theirs, rel=1e-12)


words = st.lists(st.sampled_from(["a", "b", "cd", "e."]), max_size=8).map(" ".join)


@settings(deadline=None, derandomize=True, max_examples=60)
@given(st.lists(st.tuples(words, words), min_size=1, max_size=6))
def test_random_texts_score_as_in_sacrebleu(pairs):
    outputs, reference = (list(texts) for texts in zip(*pairs, strict=True))
    for metric, theirs in (("bleu", sacrebleu.corpus_bleu), ("chrf", sacrebleu.corpus_chrf)):
        expected = theirs(outputs, [reference]).score
        assert own_score(metric, outputs, [reference]) == pytest.approx(expected, abs=1e-9)


def test_scores_of_many_sums_are_computed_at_once():
    bleu = text_statistics([GOOD, BAD], [REFERENCE]).sum(axis=1)
    chrf = text_statistics([GOOD, BAD], [REFERENCE], metric="chrf").sum(axis=1)
    for score, sums in ((bleu_score, bleu), (chrf_score, chrf)):
        stacked = score(np.stack([[sums, sums[::-1]]]))
        assert stacked.shape == (1, 2, 2)
        assert stacked[0, 0, 0] == stacked[0, 1, 1] == float(score(sums[0]))


def test_corpus_bleu_is_not_the_mean_of_sentences():
    statistics = text_statistics([GOOD], [REFERENCE])
    assert abs(bleu_score(statistics[0]).mean() - bleu_score(statistics[0].sum(axis=0))) > 5.0


def test_better_texts_have_smaller_p_values():
    outputs = [GOOD * 10, BAD * 10, GOOD * 10]
    statistics = text_statistics(outputs, [REFERENCE * 10])
    p = corpus_pvalues(statistics, bleu_score, ties="ge").pvalues
    assert p[0, 1] < 0.01
    assert p[1, 0] > 0.99
    assert p[0, 2] == 1.0


def test_without_sacrebleu_the_message_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "sacrebleu", None)
    monkeypatch.setitem(sys.modules, "sacrebleu.metrics", None)
    with pytest.raises(InputError, match=r"need sacrebleu.*`texts`"):
        text_statistics([GOOD], [REFERENCE])


@pytest.mark.parametrize("language", ["ja", "ko"])
def test_without_a_tokeniser_the_message_says_what_to_install(monkeypatch, language):
    module = importlib.import_module(f"sacrebleu.tokenizers.tokenizer_{language}_mecab")
    monkeypatch.setattr(module, "MeCab", None)
    for options in ({"target_language": language}, {"tokenize": f"{language}-mecab"}):
        with pytest.raises(InputError) as caught:
            text_statistics([GOOD], [REFERENCE], **options)
        assert f"Install `sacrebleu[{language}]`, or take chrF" in str(caught.value)
        assert "\n" not in str(caught.value)
    text_statistics([GOOD], [REFERENCE], metric="chrf", target_language=language)


def test_what_another_tokeniser_needs_is_in_the_words_of_sacrebleu(monkeypatch):
    def refuse(**_):
        raise ImportError("\n\nPlease install\n\n  pip install sentencepiece ")

    monkeypatch.setattr("sacrebleu.metrics.BLEU", refuse)
    with pytest.raises(InputError, match=r"for 'spm' .* names: Please install pip install sent"):
        text_statistics([GOOD], [REFERENCE], tokenize="spm")


def test_bad_input_is_refused():
    with pytest.raises(InputError, match="same number of segments; got 3 to 4"):
        text_statistics([GOOD[:3]], [REFERENCE])
    with pytest.raises(InputError, match="at least one text"):
        text_statistics([], [REFERENCE])
    with pytest.raises(InputError, match="`metric` must be one of 'bleu', 'chrf'"):
        text_statistics([GOOD], [REFERENCE], metric="ter")
    with pytest.raises(InputError, match="`smooth_method` cannot be changed"):
        text_statistics([GOOD], [REFERENCE], smooth_method="floor")
    with pytest.raises(InputError, match=r"shape \(..., 10\)"):
        bleu_score([1.0, 2.0])
    with pytest.raises(InputError, match=r"shape \(..., 3 n\)"):
        chrf_score([1.0, 2.0])


@pytest.mark.parametrize("metric", ["bleu", "chrf"])
@pytest.mark.parametrize("odd", [None, 1, float("nan"), b"text"])
def test_a_segment_that_is_no_text_is_named(metric, odd):
    with pytest.raises(InputError, match=r"`outputs` must have a string .* at \(1, 0\)"):
        text_statistics([["a"], [odd]], [["a"]], metric=metric)
    with pytest.raises(InputError, match=r"`references` must have a string .* at \(0, 0\)"):
        text_statistics([["a"]], [[odd]], metric=metric)
    with pytest.raises(InputError, match="`references` must be sequences of segments; got 'a' at"):
        text_statistics([["a"]], ["a"], metric=metric)


@pytest.mark.parametrize("tokenize", ["bogus", 3])
def test_an_unknown_tokeniser_is_refused(tokenize):
    with pytest.raises(InputError, match="`tokenize` must be one of none, zh"):
        text_statistics([["a"]], [["a"]], tokenize=tokenize)
