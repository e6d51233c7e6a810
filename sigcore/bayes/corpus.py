"""A corpus with chunks, what is counted in its sentences, and how it is cut into folds."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sigcore.bayes.partition import BlockPartition, block_partition, count_units
from sigcore.bayes.tagsets import tags_of_chunks
from sigcore.errors import InputError
from sigcore.parsing.tagging import Span
from sigcore.validation import as_choice

__all__ = ["UNITS", "TaggedCorpus", "partition_corpus", "restrict_chunks"]

UNITS = ("types", "tags", "length")


@dataclass(frozen=True, slots=True)
class TaggedCorpus:
    """Sentences, and the chunks in them.

    Attributes
    ----------
    sentences : tuple of tuple of tuple of str
        For each sentence its tokens, for each token its columns: the word, and what else is known
        of it, as its part of speech. The tag is not among them.
    chunks : tuple of tuple of Span
        The chunks of each sentence.
    lines : tuple of int
        Line of the file each sentence begins in; empty for a corpus that is in no file.
    """

    sentences: tuple[tuple[tuple[str, ...], ...], ...]
    chunks: tuple[tuple[Span, ...], ...]
    lines: tuple[int, ...] = ()

    @property
    def n_sentences(self) -> int:
        """Number of sentences."""
        return len(self.sentences)

    @property
    def n_tokens(self) -> int:
        """Number of tokens."""
        return sum(map(len, self.sentences))

    @property
    def n_chunks(self) -> int:
        """Number of chunks."""
        return sum(map(len, self.chunks))

    @property
    def n_columns(self) -> int:
        """Columns of a token."""
        return len(self.sentences[0][0])

    @property
    def types(self) -> tuple[str, ...]:
        """Types of chunks, in alphabetical order."""
        return tuple(sorted({chunk.type for chunks in self.chunks for chunk in chunks}))

    def select(self, positions: Sequence[int]) -> "TaggedCorpus":
        """Return the corpus of the sentences at these positions."""
        return TaggedCorpus(
            sentences=tuple(self.sentences[position] for position in positions),
            chunks=tuple(self.chunks[position] for position in positions),
            lines=tuple(self.lines[position] for position in positions) if self.lines else (),
        )

    def tags(self, tag_set: str) -> list[list[str]]:
        """Write the chunks of each sentence as tags."""
        return [
            tags_of_chunks(chunks, len(sentence), tag_set=tag_set)
            for sentence, chunks in zip(self.sentences, self.chunks, strict=True)
        ]


def restrict_chunks(
    corpus: TaggedCorpus, *, types: Sequence[str] = (), typed: bool = True
) -> TaggedCorpus:
    """Say which chunks are to be found.

    Parameters
    ----------
    corpus : TaggedCorpus
        The corpus.
    types : sequence of str
        Keep chunks of these types only; the default is all. The ORG task of the paper is
        ``["ORG"]``.
    typed : bool
        Whether the type must be found too. The NER task of the paper has False.

    Returns
    -------
    TaggedCorpus
        The same sentences with those chunks.
    """
    unknown = [name for name in types if name not in corpus.types]
    if unknown:
        known = ", ".join(corpus.types) or "which has no chunks"
        raise InputError(f"`types` must be among those of the corpus, {known}; got {unknown[0]!r}.")
    chunks = (
        tuple(
            chunk if typed else chunk._replace(type="")
            for chunk in sentence
            if not types or chunk.type in types
        )
        for sentence in corpus.chunks
    )
    return replace(corpus, chunks=tuple(chunks))


def partition_corpus(
    corpus: TaggedCorpus,
    *,
    units: Sequence[str] = ("types", "length"),
    n_repetitions: int = 3,
    seed: int = 0,
) -> BlockPartition:
    """Cut a corpus into balanced folds, sentence by sentence.

    Parameters
    ----------
    corpus : TaggedCorpus
        The corpus.
    units : sequence of {"types", "tags", "length"}
        What the halves are balanced in: chunks of each type; tags of IOBES, so also the lengths
        of chunks; tokens. Chunks in all are always balanced, as the Bayes test needs it.
    n_repetitions, seed : int
        See `block_partition`.

    Returns
    -------
    BlockPartition
    """
    for name in units:
        as_choice(name, "units", UNITS)
    matrix, names = count_units(_labels(corpus, units))
    return block_partition(matrix, n_repetitions=n_repetitions, seed=seed, unit_names=names)


def _labels(corpus: TaggedCorpus, units: Sequence[str]) -> list[list[str]]:
    """List what occurs in each sentence, as often as it does."""
    labels = [["chunks"] * len(chunks) for chunks in corpus.chunks]
    if corpus.n_chunks == 0:
        raise InputError("`corpus` must have at least one chunk.")
    if "types" in units and corpus.types != ("",):
        for found, chunks in zip(labels, corpus.chunks, strict=True):
            found += [f"type {chunk.type or 'none'}" for chunk in chunks]
    if "tags" in units:
        for found, tags in zip(labels, corpus.tags("iobes"), strict=True):
            found += [f"tag {tag}" for tag in tags]
    if "length" in units:
        for found, sentence in zip(labels, corpus.sentences, strict=True):
            found += ["tokens"] * len(sentence)
    return labels
