"""Simulated evaluation sets with known truth, written in the layout of mt-metrics-eval.

They stand in for the real data where those are absent, are read by the same reader, and serve to
check the methods, because the quality of every system and the reliability of every metric is
known. `sigcore.simulation_model` says how the scores come about.
"""

import json
import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import yaml

from sigcore.errors import InputError
from sigcore.io.files import write_text
from sigcore.seeding import generator
from sigcore.simulation_model import (
    OUTLIER,
    SimulatedPair,
    SimulatedScores,
    simulate_pair,
)
from sigcore.validation import as_count

__all__ = [
    "SimulatedPair",
    "SimulationSpec",
    "default_spec",
    "file_names",
    "scale_spec",
    "write_evalset_files",
]

FloatArray = npt.NDArray[np.float64]

_GOLD = "mqm"
# What the pipeline takes as a part of file names.
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_DOMAINS = ("news", "social", "speech", "user_review")
# Too fine to be a grid that exact tests could use, as with real metrics, and coarse enough to hide
# the last bit, in which machines may differ.
_DECIMALS = "%.8f"


@dataclass(frozen=True, slots=True)
class SimulationSpec:
    """What to simulate.

    Attributes
    ----------
    testset : str
        Name of the test set, also of its directory.
    seed : int
        Seed of everything random.
    pairs : tuple of SimulatedPair
        The language pairs, each once.
    """

    testset: str
    seed: int
    pairs: tuple[SimulatedPair, ...]

    def __post_init__(self) -> None:
        """Refuse names that cannot be those of files, and pairs named twice."""
        as_count(self.seed, "seed")
        names = [pair.language_pair for pair in self.pairs]
        for name in (self.testset, *names):
            if _NAME.fullmatch(name) is None:
                raise InputError(
                    f"`{name}` cannot be the name of a test set or language pair: letters, digits, "
                    "dots, dashes and underscores can, the first one a letter or digit."
                )
        if not names or len(set(names)) < len(names):
            raise InputError(f"`pairs` must name one or more pairs, each once; got {names}.")


def default_spec(seed: int = 0, *, testset: str = "simulated") -> SimulationSpec:
    """Describe the default set: three language pairs shaped like real ones.

    Parameters
    ----------
    seed : int
        Seed.
    testset : str
        Name of the test set.

    Returns
    -------
    SimulationSpec
        After the official selection the pairs have, in systems x segments x metrics,
        14 x 1,315 x 21 (``en-de``, like WMT22), 15 x 1,875 x 21 (``zh-en``, like WMT22) and
        12 x 460 x 25 (``he-en``, like WMT23 en-de). Systems are counted with refB, which the first
        two have; metrics are counted with the reference-free ones, of which there are 5, 5 and 7.
    """
    return SimulationSpec(
        testset,
        seed,
        (
            SimulatedPair("en-de", 14, 1400, 1315, 21, severity=0.6),
            SimulatedPair("zh-en", 15, 1900, 1875, 21, n_partial=25, severity=1.8),
            SimulatedPair("he-en", 12, 557, 460, 25, human_reference=False, severity=5.0),
        ),
    )


def scale_spec(spec: SimulationSpec, factor: float) -> SimulationSpec:
    """Change the number of segments by a factor; systems and metrics stay.

    Examples
    --------
    >>> small = scale_spec(default_spec(), 0.1)
    >>> [(pair.n_segments, pair.n_rated) for pair in small.pairs]
    [(140, 132), (190, 188), (56, 46)]
    """
    if not 0.0 < factor <= 100.0:
        raise InputError(f"`factor` must be positive and at most 100; got {factor}.")
    return replace(spec, pairs=tuple(_scaled(pair, factor) for pair in spec.pairs))


def file_names(spec: SimulationSpec) -> list[str]:
    """List the files that `write_evalset_files` writes, relative to its `root`.

    They are known without simulating, always in the same order: the facts of the test set, then
    for each language pair human scores, documents, truth and metric scores.
    """
    names = ["sigcore.yaml"]
    for pair in spec.pairs:
        lp = pair.language_pair
        names += [
            f"human-scores/{lp}.{_GOLD}.seg.score",
            f"documents/{lp}.docs",
            f"truth/{lp}.json",
            *(f"metric-scores/{lp}/{metric.identifier}.seg.score" for metric in pair.metrics),
        ]
    return [f"{spec.testset}/{name}" for name in names]


def write_evalset_files(
    spec: SimulationSpec,
    root: str | Path,
    *,
    progress: Callable[[str], object] | None = None,
) -> list[Path]:
    """Simulate and write an evaluation set.

    Parameters
    ----------
    spec : SimulationSpec
        What to simulate.
    root : str or Path
        Directory that holds test sets; the files go to ``<root>/<testset>``.
    progress : callable, optional
        Called with the relative name of each file when it is there.

    Returns
    -------
    list of Path
        The files, in the order of `file_names`. Each was written whole or not at all.

    Notes
    -----
    ``truth/<lp>.json`` has the true quality of each system and its rank, and the reliability of
    each metric with its likings for systems. The reader does not look at it.
    """
    paths = []
    for name, content in _contents(spec):
        paths.append(Path(root) / name)
        write_text(paths[-1], content)
        if progress is not None:
            progress(name)
    return paths


def _scaled(pair: SimulatedPair, factor: float) -> SimulatedPair:
    n_rated = max(1, round(pair.n_rated * factor))
    n_partial = round(pair.n_partial * factor)
    n_segments = max(n_rated + n_partial, round(pair.n_segments * factor))
    return replace(pair, n_segments=n_segments, n_rated=n_rated, n_partial=n_partial)


def _contents(spec: SimulationSpec) -> Iterator[tuple[str, str]]:
    """Give name and content of each file, in the order of `file_names`."""
    names = iter(file_names(spec))
    yield next(names), _facts(spec)
    for pair in spec.pairs:
        scores = simulate_pair(pair, seed=spec.seed)
        rng = generator(spec.seed, "order of systems in files", pair.language_pair)
        yield next(names), _score_lines(scores.systems, scores.gold, "%.1f", rng)
        yield next(names), _document_lines(scores.documents)
        yield next(names), _truth(spec, pair, scores)
        for metric, values in zip(scores.metrics, scores.scores, strict=True):
            # A metric that compares with refA does not score refA.
            rows = [row for row, name in enumerate(scores.systems) if name != metric.reference]
            systems = [scores.systems[row] for row in rows]
            decimals = "%d" if metric.scale == "integer" else _DECIMALS
            yield next(names), _score_lines(systems, values[rows], decimals, rng)


def _facts(spec: SimulationSpec) -> str:
    """Return the facts of the test set in the format of `sigcore.testsets`."""
    facts = {
        "testset": spec.testset,
        "description": f"Simulated by sigcore, seed {spec.seed}; the truth is in truth/",
        "official": [pair.language_pair for pair in spec.pairs],
        "defaults": {
            "reference": "refA",
            "gold": _GOLD,
            "outliers": [OUTLIER],
            "human_systems": True,
        },
        "language_pairs": {pair.language_pair: _pair_facts(pair) for pair in spec.pairs},
    }
    return str(yaml.safe_dump(facts, sort_keys=False))


def _pair_facts(pair: SimulatedPair) -> dict[str, list[str]]:
    def named(role: str) -> list[str]:
        return [metric.name for metric in pair.metrics if metric.role == role]

    return {
        "references": ["refA", "refB"] if pair.human_reference else ["refA"],
        "primary_metrics": named("primary"),
        "baseline_metrics": named("baseline"),
    }


def _score_lines(
    systems: Sequence[str], scores: FloatArray, decimals: str, rng: np.random.Generator
) -> str:
    """Return the lines of a score file, systems in random order as in the real files."""
    blocks = []
    for row in rng.permutation(len(systems)):
        values = (scores[row] + 0.0).tolist()  # + 0.0 turns -0.0 into 0.0
        texts = ["None" if math.isnan(value) else decimals % value for value in values]
        blocks.append("".join(f"{systems[row]}\t{text}\n" for text in texts))
    return "".join(blocks)


def _document_lines(documents: npt.NDArray[np.int64]) -> str:
    domains = [_DOMAINS[number % len(_DOMAINS)] for number in documents]
    lines = zip(domains, documents, strict=True)
    return "".join(f"{domain}\t{domain}-{number:03d}\n" for domain, number in lines)


def _truth(spec: SimulationSpec, pair: SimulatedPair, scores: SimulatedScores) -> str:
    rank = np.empty(len(scores.systems), dtype=np.int64)
    rank[np.argsort(-scores.quality, kind="stable")] = np.arange(1, len(rank) + 1)
    systems = [
        {"name": name, "quality": round(float(quality), 6), "rank": int(place)}
        for name, quality, place in zip(scores.systems, scores.quality, rank, strict=True)
    ]
    metrics = [
        {
            "name": metric.name,
            "reference": metric.reference,
            "reliability": metric.reliability,
            "duplicate_of": metric.duplicate_of,
            "bias": dict(zip(scores.systems, np.round(bias, 6).tolist(), strict=True)),
        }
        for metric, bias in zip(scores.metrics, scores.bias, strict=True)
    ]
    truth = {"seed": spec.seed, "pair": asdict(pair), "systems": systems, "metrics": metrics}
    return json.dumps(truth, indent=2) + "\n"
