"""Train and validate a model on a fold, and count the chunks it finds."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Protocol

from sigcore.bayes.corpus import TaggedCorpus
from sigcore.bayes.partition import Fold
from sigcore.bayes.tagger import TaggerSettings, predict_tags, train_tagger
from sigcore.bayes.tagsets import TAG_SETS, chunks_of_tags
from sigcore.errors import InputError
from sigcore.parsing.tagging import Span
from sigcore.validation import as_choice

__all__ = ["ChunkModel", "CrfModel", "FoldRun", "count_chunks", "fold_name", "run_fold"]


class ChunkModel(Protocol):
    """What a model of the cross-validation must have."""

    @property
    def name(self) -> str:
        """Name of the model."""

    @property
    def tag_set(self) -> str:
        """Tags that it learns and predicts."""

    def predict(
        self, training: TaggedCorpus, validation: TaggedCorpus, *, folder: Path, fold: str
    ) -> list[list[str]]:
        """Learn from one half of the corpus and predict the tags of the other.

        Parameters
        ----------
        training, validation : TaggedCorpus
            The halves; the chunks of the second must not be looked at.
        folder : Path
            An empty folder for files.
        fold : str
            Name of the fold.
        """


@dataclass(frozen=True, slots=True)
class CrfModel:
    """The built-in tagger with one tag set.

    Attributes
    ----------
    name : str
        Name of the model.
    tag_set : {"iob2", "iobes", "bmes", "bb2b3mes"}
        Its tags.
    settings : TaggerSettings
        Features and training.
    """

    name: str
    tag_set: str = "iob2"
    settings: TaggerSettings = field(default_factory=TaggerSettings)

    def __post_init__(self) -> None:
        as_choice(self.tag_set, "tag_set", TAG_SETS)

    def predict(
        self, training: TaggedCorpus, validation: TaggedCorpus, *, folder: Path, fold: str
    ) -> list[list[str]]:
        """Train a conditional random field and tag the other half."""
        path = folder / "model.crfsuite"
        train_tagger(training.sentences, training.tags(self.tag_set), path, settings=self.settings)
        return predict_tags(validation.sentences, path, settings=self.settings)


@dataclass(frozen=True, slots=True)
class FoldRun:
    """What a model found in the validation half of a fold.

    Attributes
    ----------
    model : str
        The model.
    rep, fold : int
        Repetition and fold, from 1.
    gold, predicted, correct : int
        Chunks of the corpus, of the model, and in both.
    tags : list of list of str
        The predicted tags of each sentence of the half.
    """

    model: str
    rep: int
    fold: int
    gold: int
    predicted: int
    correct: int
    tags: list[list[str]]

    def to_record(self) -> dict[str, object]:
        """Return the counts as a row of a table."""
        record = asdict(self)
        del record["tags"]
        return record


def run_fold(corpus: TaggedCorpus, fold: Fold, model: ChunkModel, *, folder: str | Path) -> FoldRun:
    """Train a model on one half of a corpus and validate it on the other.

    Parameters
    ----------
    corpus : TaggedCorpus
        The whole corpus.
    fold : Fold
        The sentences to train on and to validate on.
    model : ChunkModel
        The model.
    folder : str or Path
        A folder for its files; it is made if needed.

    Returns
    -------
    FoldRun
    """
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    validation = corpus.select(fold.validation.tolist())
    tags = model.predict(
        corpus.select(fold.training.tolist()), validation, folder=place, fold=fold_name(fold)
    )
    predicted = [chunks_of_tags(sentence, tag_set=model.tag_set) for sentence in tags]
    counts = count_chunks(validation.chunks, predicted)
    return FoldRun(model.name, fold.repetition, fold.fold, *counts, tags)


def count_chunks(
    gold: Sequence[Sequence[Span]], predicted: Sequence[Sequence[Span]]
) -> tuple[int, int, int]:
    """Count the gold chunks, the predicted ones, and those that are both.

    Parameters
    ----------
    gold, predicted : sequences of sequences of Span
        The chunks of each sentence.

    Returns
    -------
    tuple of int
        A chunk is correct if its start, end and type are.

    Examples
    --------
    >>> count_chunks([[Span(0, 2, "PER"), Span(3, 4, "LOC")]], [[Span(0, 2, "PER")]])
    (2, 1, 1)
    """
    if len(gold) != len(predicted):
        raise InputError(
            f"`predicted` must have the {len(gold)} sentences of `gold`; got {len(predicted)}."
        )
    correct = sum(
        (Counter(first) & Counter(second)).total()
        for first, second in zip(gold, predicted, strict=True)
    )
    return sum(map(len, gold)), sum(map(len, predicted)), correct


def fold_name(fold: Fold) -> str:
    """Return the name of a fold in paths and messages, for example ``rep1-fold2``."""
    return f"rep{fold.repetition}-fold{fold.fold}"
