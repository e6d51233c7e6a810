"""A linear-chain conditional random field that tags tokens, with the features of Wang & Li (2019).

It needs python-crfsuite, which comes with the extra `tagger`. Training by L-BFGS is deterministic:
the same sentences and settings give the same model, byte for byte.
"""

import importlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sigcore.errors import InputError
from sigcore.validation import as_count, as_number

__all__ = ["TaggerSettings", "check_columns", "predict_tags", "token_features", "train_tagger"]

Sentence = Sequence[Sequence[str]]

# Unigrams, bigrams and trigrams.
LARGEST_NGRAM = 3
# Beyond this the features of a token do not fit into memory.
LARGEST_WINDOW = 1000


@dataclass(frozen=True, slots=True)
class TaggerSettings:
    """Features and training of the tagger.

    Attributes
    ----------
    columns : tuple of int
        Columns of a token that give features, from 0; empty for the first two, or the only one:
        word and part of speech.
    window : int
        How many tokens to the left and to the right are looked at, at most 1000.
    l2 : float
        Coefficient of the squared weights.
    max_iterations : int
        Iterations of L-BFGS at most.
    """

    columns: tuple[int, ...] = ()
    window: int = 2
    l2: float = 1.0
    max_iterations: int = 1000

    def __post_init__(self) -> None:
        if as_count(self.window, "window") > LARGEST_WINDOW:
            raise InputError(f"`window` must be at most {LARGEST_WINDOW}; got {self.window}.")
        as_count(self.max_iterations, "max_iterations", minimum=1)
        if as_number(self.l2, "l2") < 0:
            raise InputError(f"`l2` must be at least 0; got {self.l2}.")


def train_tagger(
    sentences: Sequence[Sentence],
    tags: Sequence[Sequence[str]],
    path: str | Path,
    *,
    settings: TaggerSettings | None = None,
) -> None:
    """Train a tagger and write it to a file.

    Parameters
    ----------
    sentences : sequence of sequences of sequences of str
        The tokens of each sentence, with their columns.
    tags : sequence of sequences of str
        Their tags.
    path : str or Path
        The file of the model.
    settings : TaggerSettings, optional
        Features and training.
    """
    chosen = settings or TaggerSettings()
    if len(sentences) != len(tags) or not sentences:
        raise InputError(
            f"`tags` must have one entry for each sentence, and at least one; got {len(tags)} for "
            f"{len(sentences)} sentences."
        )
    trainer = _crfsuite().Trainer(algorithm="lbfgs", verbose=False)
    trainer.set_params({"c2": chosen.l2, "max_iterations": chosen.max_iterations})
    for sentence, labels in zip(sentences, tags, strict=True):
        trainer.append(token_features(sentence, settings=chosen), list(labels))
    trainer.train(str(path))


def predict_tags(
    sentences: Sequence[Sentence], path: str | Path, *, settings: TaggerSettings | None = None
) -> list[list[str]]:
    """Tag sentences with a trained tagger.

    Parameters
    ----------
    sentences, path, settings
        As in `train_tagger`.

    Returns
    -------
    list of list of str
        The most probable tags of each sentence.
    """
    tagger = _crfsuite().Tagger()
    tagger.open(str(path))
    try:
        return [tagger.tag(token_features(sentence, settings=settings)) for sentence in sentences]
    finally:
        tagger.close()


def token_features(
    sentence: Sentence, *, settings: TaggerSettings | None = None
) -> list[list[str]]:
    r"""List the features of each token of a sentence.

    Parameters
    ----------
    sentence : sequence of sequences of str
        The tokens with their columns.
    settings : TaggerSettings, optional
        Which columns, and how wide the window is.

    Returns
    -------
    list of list of str
        Unigrams, bigrams and trigrams of each column inside the window, with their place. Beyond
        the ends of the sentence there are markers.

    References
    ----------
    Wang, R. and Li, J. (2019). Section 4: "unigram, bigram, and trigram", windows [-2, 2].

    Examples
    --------
    >>> token_features([["the"], ["cat"]], settings=TaggerSettings(window=1))[1]
    ['0:-1 the', '0:0 cat', '0:1 >1', '0:-1 the\tcat', '0:0 cat\t>1', '0:-1 the\tcat\t>1']
    """
    chosen = settings or TaggerSettings()
    columns = _columns(sentence, chosen)
    features: list[list[str]] = [[] for _ in sentence]
    for column in columns:
        for found, ngrams in zip(features, _ngrams(sentence, column, chosen.window), strict=True):
            found += ngrams
    return features


def check_columns(columns: Sequence[int], width: int, name: str = "columns") -> None:
    """Refuse columns of features that a token with `width` columns has not."""
    if not all(0 <= column < width for column in columns):
        raise InputError(
            f"`{name}` must be from 0 to {width - 1}, the columns of a token; got "
            f"{', '.join(map(str, columns))}."
        )


def _columns(sentence: Sentence, settings: TaggerSettings) -> Sequence[int]:
    width = len(sentence[0])
    check_columns(settings.columns, width)
    return settings.columns or range(min(2, width))


def _ngrams(sentence: Sentence, column: int, window: int) -> Iterator[list[str]]:
    """Yield the features that one column gives to each token."""
    before = [f"<{distance}" for distance in range(window, 0, -1)]
    after = [f">{distance}" for distance in range(1, window + 1)]
    padded = [*before, *(token[column] for token in sentence), *after]
    for position in range(len(sentence)):
        around = padded[position : position + 2 * window + 1]
        yield [
            f"{column}:{start - window} " + "\t".join(around[start : start + size])
            for size in range(1, LARGEST_NGRAM + 1)
            for start in range(len(around) - size + 1)
        ]


def _crfsuite() -> Any:
    try:
        return importlib.import_module("pycrfsuite")
    except ModuleNotFoundError as error:
        raise InputError(
            "the built-in tagger needs python-crfsuite: pip install 'sigcore[tagger]'."
        ) from error
