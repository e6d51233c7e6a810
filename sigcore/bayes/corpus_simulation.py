"""A simulated corpus of sentences with named entities, for trying out taggers.

Names are made of syllables and drawn with Zipf's frequencies, so that many of them are rare or
new in the other half of the corpus. The same word may be a person, a place or an organisation;
only its neighbours tell.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import product

import numpy as np

from sigcore.bayes.corpus import TaggedCorpus
from sigcore.parsing.tagging import Span
from sigcore.seeding import generator
from sigcore.validation import as_count

__all__ = ["simulate_corpus"]

Token = tuple[str, str]

# Words with their part of speech; words in capitals stand for what is drawn.
CLAUSES = (
    "PERSON said/VBD on/IN DAY that/IN the/DT NOUN would/MD VERB",
    "PERSON ,/, PART of/IN ORGANISATION ,/, PAST the/DT NOUN",
    "PERSON left/VBD PLACE for/IN PLACE on/IN DAY",
    "PERSON of/IN PLACE beat/VBD PERSON of/IN PLACE",
    "PERSON and/CC PERSON PAST the/DT NOUN of/IN ORGANISATION",
    "PEOPLE PERSON beat/VBD PERSON NUMBER",
    "ORGANISATION PART PERSON PAST on/IN DAY",
    "PLACE PERSON PAST in/IN the/DT EVENT",
    "CLUB beat/VBD CLUB NUMBER",
    "CLUB lost/VBD to/TO CLUB in/IN PLACE on/IN DAY",
    "the/DT EVENT in/IN PLACE PAST on/IN DAY",
    "CLUB won/VBD the/DT EVENT",
    "ORGANISATION PAST its/PRP$ NOUN in/IN PLACE",
    "shares/NNS of/IN ORGANISATION PAST after/IN the/DT NOUN",
    "the/DT PEOPLE NOUN PAST the/DT NOUN",
    "a/DT PEOPLE PART PAST in/IN PLACE",
    "officials/NNS in/IN PLACE said/VBD the/DT NOUN PAST",
    "the/DT NOUN PAST the/DT NOUN on/IN DAY",
    "the/DT PART told/VBD ORGANISATION that/IN the/DT NOUN PAST",
)
LINKS = (",/, and/CC", "while/IN", ",/, but/CC", "after/IN")

WORDS = {
    "DAY": ("NNP", ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")),
    "NOUN": (
        "NN",
        ("plan", "report", "market", "price", "vote", "talk", "strike", "budget", "deal"),
    ),
    "PART": ("NN", ("chairman", "minister", "spokesman", "player", "lawyer", "captain", "coach")),
    "VERB": ("VB", ("rise", "fall", "start", "end", "return", "improve")),
    "PAST": ("VBD", ("followed", "left", "began", "ended", "opened", "improved", "closed")),
    "NUMBER": ("CD", ("1-0", "2-0", "2-1", "3-1", "3-2", "0-0")),
}
TITLES = ("Mr", "Dr", "Judge")
CUPS = ("Open", "Cup", "Masters")
HEADS = ("Bank", "Group", "Institute", "Motors", "Press")
N_NAMES = 420
# Share of the words whose part of speech is wrong, as that of a tagger.
WRONG_PARTS = 0.06
MISTAKEN = {"NNP": "NN", "NN": "NNP", "JJ": "NNP", "VBD": "NN"}


def simulate_corpus(n_sentences: int = 500, *, seed: int = 0) -> TaggedCorpus:
    """Simulate sentences with persons, places, organisations and other names.

    Parameters
    ----------
    n_sentences : int
        Number of sentences.
    seed : int
        Seed of the simulation.

    Returns
    -------
    TaggedCorpus
        Two columns, word and part of speech; chunks of types PER, LOC, ORG and MISC, of one to
        four tokens.

    Examples
    --------
    >>> corpus = simulate_corpus(20, seed=1)
    >>> corpus.n_sentences, corpus.types
    (20, ('LOC', 'MISC', 'ORG', 'PER'))
    """
    count = as_count(n_sentences, "n_sentences", minimum=1)
    writer = _Writer(generator(seed, "tagged-corpus"))
    found = [writer.sentence() for _ in range(count)]
    return TaggedCorpus(
        sentences=tuple(tokens for tokens, _ in found), chunks=tuple(chunks for _, chunks in found)
    )


class _Writer:
    """Writes one sentence after another."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng
        names = _names(rng)
        # The lists share names: some families are called like places.
        self.first = names[:90]
        self.family = names[60:240]
        self.place = names[180:340]
        self.people = [*(f"{name}ish" for name in names[180:240]), *names[240:260]]
        self.firm = names[300:]
        self.tokens: list[Token] = []
        self.chunks: list[Span] = []
        self.draw: dict[str, Callable[[], None]] = {
            "PERSON": self._person,
            "PLACE": self._place,
            "ORGANISATION": self._organisation,
            "CLUB": self._club,
            "PEOPLE": self._people,
            "EVENT": self._event,
        }

    def sentence(self) -> tuple[tuple[Token, ...], tuple[Span, ...]]:
        """Write a sentence of one to three clauses."""
        self.tokens, self.chunks = [], []
        n_clauses = 1 + int(self.rng.choice(3, p=(0.55, 0.35, 0.1)))
        for number in range(n_clauses):
            if number:
                self._write(self._any(LINKS))
            self._write(self._any(CLAUSES))
        self.tokens.append((".", "."))
        return tuple(map(self._mistake, self.tokens)), tuple(self.chunks)

    def _mistake(self, token: Token) -> Token:
        word, part = token
        return (word, MISTAKEN.get(part, part)) if self.rng.random() < WRONG_PARTS else token

    def _write(self, template: str) -> None:
        for item in template.split():
            word, _, tag = item.rpartition("/")
            if word:
                self.tokens.append((word, tag))
            elif item in self.draw:
                self.draw[item]()
            else:
                part, choices = WORDS[item]
                self.tokens.append((self._any(choices), part))

    def _person(self) -> None:
        kind = self.rng.random()
        if kind < 0.2:
            self.tokens.append((self._any(TITLES), "NNP"))
        first = [self._name(self.first)] if kind > 0.5 else []
        self._chunk("PER", [*first, self._name(self.family)])

    def _place(self) -> None:
        new = ["New"] if self.rng.random() < 0.1 else []
        self._chunk("LOC", [*new, self._name(self.place)])

    def _organisation(self) -> None:
        kind = self.rng.random()
        if kind < 0.35:
            words = [self._name(self.firm)]
        elif kind < 0.6:
            words = [self._name(self.firm), self._any(HEADS)]
        elif kind < 0.8:
            words = [self._name(self.family), "and", self._name(self.family)]
        else:
            words = ["Royal", self._any(HEADS), "of", self._name(self.place)]
        self._chunk("ORG", words)

    def _club(self) -> None:
        united = ["United"] if self.rng.random() < 0.3 else []
        self._chunk("ORG", [self._name(self.place), *united])

    def _people(self) -> None:
        self._chunk("MISC", [self._name(self.people)], part="JJ")

    def _event(self) -> None:
        self._chunk("MISC", [self._name(self.place), self._any(CUPS)])

    def _chunk(self, label: str, words: Sequence[str], *, part: str = "NNP") -> None:
        start = len(self.tokens)
        small = {"and": "CC", "of": "IN"}
        self.tokens += [(word, small.get(word, part)) for word in words]
        self.chunks.append(Span(start, len(self.tokens), label))

    def _any(self, choices: Sequence[str]) -> str:
        return choices[int(self.rng.integers(len(choices)))]

    def _name(self, names: Sequence[str]) -> str:
        weight = 1 / np.arange(1, len(names) + 1)
        return names[int(self.rng.choice(len(names), p=weight / weight.sum()))]


def _names(rng: np.random.Generator) -> list[str]:
    """Make names of two or three syllables, in random order."""
    starts = [c + v for c, v in product("bdfgklmnprstv", "aeiou")]
    ends = ("ran", "lo", "mir", "ten", "ska", "dor", "vin", "lle", "ga", "nor")
    found = list(_distinct(rng, starts, ends))
    return [found[index] for index in rng.permutation(len(found))]


def _distinct(
    rng: np.random.Generator, starts: Sequence[str], ends: Sequence[str]
) -> Iterator[str]:
    seen: set[str] = set()
    while len(seen) < N_NAMES:
        middle = starts[int(rng.integers(len(starts)))] if rng.random() < 0.5 else ""
        first, last = (list_[int(rng.integers(len(list_)))] for list_ in (starts, ends))
        name = (first + middle + last).capitalize()
        if name not in seen:
            seen.add(name)
            yield name
