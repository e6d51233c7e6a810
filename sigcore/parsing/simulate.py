"""Made-up parsers on a made-up treebank, so that a comparison can be shown without real trees."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from sigcore.errors import InputError
from sigcore.parsing.scores import ERROR, SKIPPED, SentenceScores
from sigcore.seeding import generator
from sigcore.validation import as_count, as_probability

__all__ = ["EXAMPLE_PARSERS", "simulate_parsers"]

IntArray = npt.NDArray[np.int64]

# Parsers to show a comparison with: recall on a sentence of middling difficulty. The twins differ
# by chance alone.
EXAMPLE_PARSERS = {
    "SimReranker": 0.932,
    "SimSelfTrained": 0.928,
    "SimLatent": 0.918,
    "SimTwin-A": 0.905,
    "SimTwin-B": 0.905,
    "SimPCFG": 0.84,
}

# Chosen by eye so that lengths, brackets and rates look like those of section 23 of the WSJ.
_LENGTH_SHAPE, _LENGTH_SCALE = 4.5, 5.2
_BRACKETS_PER_WORD = 0.78
_SHARED_DIFFICULTY, _OWN_DIFFICULTY = 0.9, 0.4
_SPURIOUS_PER_MISSED = 0.9
_CROSSING_PER_SPURIOUS = 0.4
_PUNCTUATION, _TAGGING = 0.12, 0.965


def simulate_parsers(
    n_sentences: int,
    *,
    recalls: Sequence[float] = (0.88, 0.86),
    names: Sequence[str] | None = None,
    n_not_scored: int = 0,
    seed: int = 0,
) -> tuple[SentenceScores, ...]:
    """Simulate the counts that evalb gives for parsers on the same sentences.

    Parameters
    ----------
    n_sentences : int
        Number of sentences.
    recalls : sequence of float
        Recall of each parser on a sentence of middling difficulty.
    names : sequence of str, optional
        Names of the parsers; the default is parser-1, parser-2, ...
    n_not_scored : int
        Sentences of each parser that evalb could not score, drawn for each parser anew; the first
        half of them, rounded up, are errors, the others skipped.
    seed : int
        Seed. A parser's counts depend on its place in `recalls`, not on the parsers after it.

    Returns
    -------
    tuple of SentenceScores
        The counts. Two parsers with the same recall differ by chance alone.

    Notes
    -----
    A sentence has a difficulty that all parsers share and one of its own for each parser, both
    normal on the scale of log-odds. Brackets are found independently given the two.
    """
    as_count(n_sentences, "n_sentences", minimum=1)
    chances = [as_probability(recall, "recalls") for recall in recalls]
    labels = tuple(names) if names is not None else _default_names(len(chances))
    if len(labels) != len(chances):
        raise InputError(f"`names` must have {len(chances)} entries; got {len(labels)}.")
    if as_count(n_not_scored, "n_not_scored") > n_sentences:
        raise InputError(f"`n_not_scored` must be at most {n_sentences}; got {n_not_scored}.")
    rng = generator(seed, "treebank")
    length = np.maximum(1, rng.gamma(_LENGTH_SHAPE, _LENGTH_SCALE, n_sentences)).astype(np.int64)
    gold = 1 + rng.binomial(length, _BRACKETS_PER_WORD)
    words = np.maximum(1, length - rng.binomial(length, _PUNCTUATION))
    difficulty = _SHARED_DIFFICULTY * rng.standard_normal(n_sentences)
    parsers = []
    for index, (name, chance) in enumerate(zip(labels, chances, strict=True)):
        parser = generator(seed, "parser", str(index))
        scores = _parse(name, length, gold, words, difficulty, chance, parser)
        parsers.append(_drop(scores, n_not_scored, parser))
    return tuple(parsers)


def _default_names(n_parsers: int) -> tuple[str, ...]:
    return tuple(f"parser-{number}" for number in range(1, n_parsers + 1))


def _parse(
    name: str,
    length: IntArray,
    gold: IntArray,
    words: IntArray,
    difficulty: npt.NDArray[np.float64],
    chance: float,
    rng: np.random.Generator,
) -> SentenceScores:
    own = _OWN_DIFFICULTY * rng.standard_normal(len(gold))
    found = 1 / (1 + np.exp(-np.log(chance / (1 - chance)) + difficulty + own))
    matched = rng.binomial(gold, found)
    spurious = rng.binomial(gold - matched, _SPURIOUS_PER_MISSED)
    return SentenceScores(
        name=name,
        sentences=tuple(str(number) for number in range(1, len(gold) + 1)),
        length=length,
        matched=matched,
        gold=gold,
        test=matched + spurious,
        crossing=rng.binomial(spurious, _CROSSING_PER_SPURIOUS),
        words=words,
        tags=rng.binomial(words, _TAGGING),
    )


def _drop(scores: SentenceScores, n_not_scored: int, rng: np.random.Generator) -> SentenceScores:
    """Take the score from some sentences, which then have nought in all counts but the length."""
    chosen = rng.permutation(scores.n_sentences)[:n_not_scored]
    status = np.zeros(scores.n_sentences, dtype=np.int64)
    status[chosen] = SKIPPED
    status[chosen[: (n_not_scored + 1) // 2]] = ERROR
    columns = ("matched", "gold", "test", "crossing", "words", "tags")
    kept: dict[str, Any] = {
        name: np.where(status == 0, getattr(scores, name), 0) for name in columns
    }
    return replace(scores, status=status, **kept)
