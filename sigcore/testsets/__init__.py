"""Official facts about the WMT test sets, as YAML files beside this module.

A file says, for each language pair, which reference is the standard one, which human scores are
the gold of the segments, which systems count as outliers and which metrics were primary
submissions or baselines. A data directory may bring a file of the same format for its own test
set, `<root>/<testset>/sigcore.yaml`; that file goes before the one in the package.
"""

from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from sigcore.errors import DataFileError, InputError
from sigcore.io.yaml_files import read_yaml

__all__ = ["FACTS_FILE", "PairFacts", "TestsetFacts", "known_testsets", "load_testset"]

FACTS_FILE = "sigcore.yaml"


@dataclass(frozen=True, slots=True)
class PairFacts:
    """Facts about one language pair of a test set.

    Attributes
    ----------
    testset, language_pair : str
        What the facts are about, for example ``"wmt22"`` and ``"en-de"``.
    reference : str
        Name of the standard reference translation.
    gold : str or None
        Name of the human scores that are the gold of the segments; None when there are none.
    outliers : tuple of str
        Systems that the official task leaves out.
    human_systems : bool
        Whether the official task compares human translations other than the standard reference
        as systems.
    references : tuple of str
        Names of reference translations, as far as they are stated; the standard one is always
        among them.
    primary_metrics, baseline_metrics : tuple of str
        Base names of metrics, without the reference they use.
    """

    testset: str
    language_pair: str
    reference: str
    gold: str | None
    outliers: tuple[str, ...]
    human_systems: bool
    references: tuple[str, ...]
    primary_metrics: tuple[str, ...]
    baseline_metrics: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TestsetFacts:
    """Facts about a test set.

    Attributes
    ----------
    name : str
        Name of the test set, also the name of its directory.
    description : str
        One sentence.
    official : tuple of str
        Language pairs of the official task.
    pairs : tuple of PairFacts
        All language pairs, sorted by name.
    """

    __test__ = False  # the name starts with "Test": pytest must not collect it

    name: str
    description: str
    official: tuple[str, ...]
    pairs: tuple[PairFacts, ...]

    @property
    def language_pairs(self) -> tuple[str, ...]:
        """Names of all language pairs, sorted."""
        return tuple(pair.language_pair for pair in self.pairs)

    def facts(self, language_pair: str) -> PairFacts:
        """Return the facts about one language pair."""
        for pair in self.pairs:
            if pair.language_pair == language_pair:
                return pair
        raise InputError(
            f"`language_pair` must be one of those of {self.name} "
            f"({', '.join(self.language_pairs)}); got {language_pair!r}."
        )


def known_testsets() -> tuple[str, ...]:
    """Return the names of the test sets whose facts are in the package, sorted."""
    files = resources.files(__name__).iterdir()
    return tuple(sorted(f.name.removesuffix(".yaml") for f in files if f.name.endswith(".yaml")))


def load_testset(name: str, *, root: str | Path | None = None) -> TestsetFacts:
    """Load the facts about a test set.

    Parameters
    ----------
    name : str
        Name of the test set, for example ``"wmt22"``.
    root : str or Path, optional
        Directory that holds the test sets. If it has ``<name>/sigcore.yaml``, that file is used.

    Returns
    -------
    TestsetFacts
        The facts.

    Raises
    ------
    InputError
        If nothing is known about the test set.
    DataFileError
        If the file has an unknown key or a value of the wrong type.

    Examples
    --------
    >>> load_testset("wmt22").facts("en-de").outliers
    ('M2M100_1.2B-B4',)
    """
    own = Path(root) / name / FACTS_FILE if root is not None else None
    if own is not None and own.is_file():
        return _parse(own, name)
    if name not in known_testsets():
        hint = f", and there is no {own}" if own is not None else ""
        raise InputError(
            f"`testset` must be one of {', '.join(known_testsets())}; got {name!r}{hint}."
        )
    return _parse(Path(str(resources.files(__name__) / f"{name}.yaml")), name)


# What the values of a file must be.
_TEXT, _FLAG, _LIST, _MAPPING = "text", "true or false", "a list of names", "a mapping"
_TOP = {
    "testset": _TEXT,
    "description": _TEXT,
    "official": _LIST,
    "defaults": _MAPPING,
    "language_pairs": _MAPPING,
}
_PAIR = {
    "reference": _TEXT,
    "gold": f"{_TEXT} or null",
    "outliers": _LIST,
    "human_systems": _FLAG,
    "references": _LIST,
    "primary_metrics": _LIST,
    "more_primary_metrics": _LIST,
    "baseline_metrics": _LIST,
}


def _parse(path: Path, name: str) -> TestsetFacts:
    document = read_yaml(path).value
    _check(document, _TOP, path, "")
    for key in ("testset", "language_pairs"):
        if key not in document:
            raise DataFileError(path, f"must have the key `{key}`.")
    if document["testset"] != name:
        raise DataFileError(path, f"`testset` must be {name!r}; got {document['testset']!r}.")
    for key in document["language_pairs"]:
        if not _is_name(key):
            raise DataFileError(path, f"`language_pairs` must have names as keys; got {key!r}.")
    defaults = document.get("defaults", {})
    _check(defaults, _PAIR, path, "defaults")
    pairs = [
        _pair(name, pair, defaults, {} if values is None else values, path)
        for pair, values in sorted(document["language_pairs"].items())
    ]
    official = tuple(document.get("official", ()))
    for pair in official:
        if pair not in document["language_pairs"]:
            raise DataFileError(path, f"`official` names {pair!r}, not one of `language_pairs`.")
    return TestsetFacts(name, document.get("description", ""), official, tuple(pairs))


def _pair(testset: str, pair: str, defaults: dict[str, Any], values: Any, path: Path) -> PairFacts:
    place = f"language_pairs.{pair}"
    _check(values, _PAIR, path, place)
    merged = {**defaults, **values}
    if "reference" not in merged:
        raise DataFileError(path, f"`{place}` must have the key `reference`, or `defaults` must.")
    primary = [*merged.get("primary_metrics", ()), *merged.get("more_primary_metrics", ())]
    return PairFacts(
        testset=testset,
        language_pair=pair,
        reference=merged["reference"],
        gold=merged.get("gold"),
        outliers=tuple(merged.get("outliers", ())),
        human_systems=merged.get("human_systems", False),
        references=tuple(sorted({merged["reference"], *merged.get("references", ())})),
        primary_metrics=tuple(primary),
        baseline_metrics=tuple(merged.get("baseline_metrics", ())),
    )


def _check(values: Any, expected: dict[str, str], path: Path, place: str) -> None:
    """Refuse a mapping with an unknown key or a value of the wrong type."""
    if not isinstance(values, dict):
        what = f"`{place}`" if place else "the file"
        raise DataFileError(path, f"{what} must be a mapping; got {values!r}.")
    for key, value in values.items():
        name = f"{place}.{key}" if place else str(key)
        if key not in expected:
            known = ", ".join(expected)
            raise DataFileError(path, f"unknown key `{name}`; known keys are {known}.")
        if not _fits(value, expected[key]):
            raise DataFileError(path, f"`{name}` must be {expected[key]}; got {value!r}.")


def _fits(value: Any, expected: str) -> bool:
    if expected == _FLAG:
        return isinstance(value, bool)
    if expected == _MAPPING:
        return isinstance(value, dict)
    if expected == _LIST:
        return isinstance(value, list) and all(_is_name(item) for item in value)
    return _is_name(value) or (value is None and expected != _TEXT)


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and value != ""
