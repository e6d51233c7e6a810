"""The model behind simulated evaluation sets.

Every translation has a latent quality: that of its system, less the difficulty of the segment and
of its document, plus what this system does with this document and segment. Short segments are
often translated alike, so ties occur. Human scores count errors whose number depends on the latent
quality, on the scale of MQM: 0.1 for punctuation, 1 minor, 5 major, at most 25, negated. A metric
sees the latent quality with a known reliability, adds noise and a liking of its own for each
system, and reports the sum on its own scale. Higher is better everywhere.

Scores are made by sums, products, quotients and square roots, which floating-point arithmetic
rounds alike on every machine.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sigcore.errors import InputError
from sigcore.seeding import generator
from sigcore.validation import as_count

__all__ = [
    "METRICS",
    "OUTLIER",
    "UNRATED",
    "SimulatedMetric",
    "SimulatedPair",
    "SimulatedScores",
    "simulate_pair",
]

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class SimulatedMetric:
    """A metric of a simulated set.

    Attributes
    ----------
    name : str
        Base name.
    reference : {"refA", "src"}
        What it compares with; ``"src"`` is the source only.
    reliability : float
        Correlation of its scores, before its likings for systems, with the latent quality.
    scale : {"unit", "percent", "penalty", "integer", "plain"}
        Range of its scores: 0 to 1, 0 to 100, a negated number of errors, the same in whole
        numbers, or any number.
    role : {"primary", "baseline", "contrastive"}
        How the facts of the test set list it.
    duplicate_of : str or None
        Metric whose scores it repeats.
    """

    name: str
    reference: str
    reliability: float
    scale: str
    role: str = "primary"
    duplicate_of: str | None = None

    @property
    def identifier(self) -> str:
        """Base name and reference, as in the file name."""
        return f"{self.name}-{self.reference}"


METRICS = (
    SimulatedMetric("SimNeural-XL", "refA", 0.90, "penalty"),
    SimulatedMetric("SimOverlap(char)", "refA", 0.50, "percent", "baseline"),
    SimulatedMetric("SimJudge (5 shots)", "src", 0.75, "integer"),
    SimulatedMetric("SimEmbed.v2", "refA", 0.65, "unit"),
    SimulatedMetric("SimTwin", "refA", 0.65, "unit", duplicate_of="SimEmbed.v2"),
    SimulatedMetric("SimRandom", "src", 0.0, "plain", "baseline"),
    SimulatedMetric("SimUnified", "refA", 0.80, "unit"),
    SimulatedMetric("SimUnified-src", "src", 0.70, "unit"),
    SimulatedMetric("SimOverlap(word)", "refA", 0.40, "percent", "baseline"),
    SimulatedMetric("SimSpans", "refA", 0.70, "integer"),
    SimulatedMetric("SimNeural-Base", "refA", 0.80, "unit", "baseline"),
    SimulatedMetric("SimNeural-XL.b", "refA", 0.85, "penalty", "contrastive"),
    SimulatedMetric("SimQE-XL", "src", 0.80, "unit"),
    SimulatedMetric("SimQE-Base", "src", 0.60, "unit", "baseline"),
    SimulatedMetric("SimOverlap(piece)", "refA", 0.45, "percent", "baseline"),
    SimulatedMetric("SimSentence", "refA", 0.55, "unit"),
    SimulatedMetric("SimRegress_da", "refA", 0.75, "plain"),
    SimulatedMetric("SimRegress_mqm", "refA", 0.85, "plain"),
    SimulatedMetric("SimParaphrase", "refA", 0.60, "plain", "baseline"),
    SimulatedMetric("SimLexical-1", "refA", 0.35, "unit"),
    SimulatedMetric("SimLexical-2", "refA", 0.38, "unit", "contrastive"),
    SimulatedMetric("SimDocument", "refA", 0.72, "unit"),
    SimulatedMetric("SimFluency", "src", 0.25, "plain"),
    SimulatedMetric("SimQE-XL.b", "src", 0.78, "unit", "contrastive"),
    SimulatedMetric("SimEnsemble", "refA", 0.92, "unit"),
)

_TREES = (
    "Alder", "Birch", "Cedar_1.2B", "Elm(big)", "Fir", "Hazel", "Juniper", "Larch", "Maple.v2",
    "Oak", "Pine", "Rowan", "Spruce", "Willow", "Yew",
)  # fmt: skip
OUTLIER, UNRATED = "Sim-Outlier", "Sim-Unrated"


@dataclass(frozen=True, slots=True)
class SimulatedPair:
    """Shape of one simulated language pair.

    Attributes
    ----------
    language_pair : str
        Its name.
    n_systems : int
        Systems that the official selection keeps: machine translations and, with
        `human_reference`, refB. Beside them there are always the standard reference refA, an
        outlier and a system without human scores.
    n_segments, n_rated : int
        All segments, and those with a human score for every system that was rated.
    n_metrics : int
        Metrics, reference-based and reference-free together; the first ones of `METRICS`.
    n_partial : int
        Segments beside `n_rated` that have a human score for half of the systems.
    human_reference : bool
        Whether a second human translation, refB, is one of the systems.
    severity : float
        Factor on the number of errors.
    """

    language_pair: str
    n_systems: int
    n_segments: int
    n_rated: int
    n_metrics: int
    n_partial: int = 0
    human_reference: bool = True
    severity: float = 1.0

    def __post_init__(self) -> None:
        """Refuse shapes that cannot be."""
        as_count(self.n_systems, "n_systems", minimum=3)
        as_count(self.n_rated, "n_rated", minimum=1)
        as_count(self.n_partial, "n_partial")
        as_count(self.n_segments, "n_segments", minimum=self.n_rated + self.n_partial)
        as_count(self.n_metrics, "n_metrics", minimum=1)
        if self.n_metrics > len(METRICS):
            raise InputError(f"`n_metrics` must be at most {len(METRICS)}; got {self.n_metrics}.")
        if not 0.0 < self.severity <= 100.0:
            raise InputError(f"`severity` must be positive and at most 100; got {self.severity}.")

    @property
    def metrics(self) -> tuple[SimulatedMetric, ...]:
        """The metrics of the pair."""
        return METRICS[: self.n_metrics]


@dataclass(frozen=True, slots=True)
class SimulatedScores:
    """A simulated language pair and the truth about it.

    Attributes
    ----------
    systems : tuple of str
        Names of the systems: machine translations, the outlier, the human references, the one
        that nobody rated.
    quality : ndarray, systems
        True quality of each system, in standard deviations of a translation's quality.
    documents : ndarray of int64, segments
        Number of the document of each segment.
    gold : ndarray, systems x segments
        Human scores, multiples of 0.1; NaN where there is none.
    metrics : tuple of SimulatedMetric
        The metrics.
    scores : ndarray, metrics x systems x segments
        Metric scores.
    bias : ndarray, metrics x systems
        Liking of each metric for each system, in standard deviations of its scores.
    """

    systems: tuple[str, ...]
    quality: FloatArray
    documents: npt.NDArray[np.int64]
    gold: FloatArray
    metrics: tuple[SimulatedMetric, ...]
    scores: FloatArray
    bias: FloatArray


def simulate_pair(pair: SimulatedPair, *, seed: int) -> SimulatedScores:
    """Simulate the human and metric scores of one language pair.

    Parameters
    ----------
    pair : SimulatedPair
        Its shape.
    seed : int
        Seed; each language pair has numbers of its own.

    Returns
    -------
    SimulatedScores
        Scores and truth, the same for the same arguments on every machine.
    """
    rng = generator(seed, "simulate", pair.language_pair)
    systems, quality = _systems(pair, rng)
    documents, rated = _documents(pair, rng)
    copied = _copied(systems, len(documents), rng)
    latent = _latent(quality, documents, copied, rng)
    gold = _gold(latent, copied, pair.severity, rng)
    gold[systems.index(UNRATED)] = np.nan
    gold[:, rated == 0] = np.nan
    # A partly rated segment lacks every second system.
    checkerboard = np.add.outer(np.arange(len(systems)), np.arange(len(documents))) % 2 == 1
    gold[(rated == 1) & checkerboard] = np.nan
    scores, bias = _metric_scores(pair.metrics, latent, copied, rng)
    return SimulatedScores(systems, quality, documents, gold, pair.metrics, scores, bias)


# Standard deviations of what makes up the latent quality of a translation; their squares, with the
# variance between systems, sum to about 1.
_SEGMENT, _DOCUMENT, _SYSTEM_DOCUMENT, _CELL = 0.70, 0.30, 0.15, 0.60
_SYSTEM_RANGE = 0.9  # from the worst to the best machine translation
_OUTLIER_QUALITY, _REFERENCE_QUALITY = -1.3, {"refA": 0.65, "refB": 0.5}
_SHORT = 0.15  # fraction of short segments
_COPY_SHORT, _COPY_LONG = 0.6, 0.1  # how often a system gives the common translation
_BIAS = 0.2  # standard deviation of a useless metric's likings
_SAME_FAULT = 0.4  # how often the number of errors follows the segment, not the system
_MOST_ERRORS = 8  # of one severity in a segment


def _systems(pair: SimulatedPair, rng: np.random.Generator) -> tuple[tuple[str, ...], FloatArray]:
    """Return names and true qualities; every third system nearly equals its neighbour."""
    n_machine = pair.n_systems - pair.human_reference
    gaps = rng.uniform(0.5, 1.5, n_machine)
    gaps[2::3] = 0.05
    steps = np.cumsum(gaps) - gaps[0]
    machine = rng.permutation(_SYSTEM_RANGE * (steps / steps[-1] - 0.5))
    references = ["refB", "refA"] if pair.human_reference else ["refA"]
    names = [f"Sim-{tree}" for tree in _TREES[:n_machine]]
    names += [f"Sim-{number:03d}" for number in range(len(names) + 1, n_machine + 1)]
    quality = [*machine, _OUTLIER_QUALITY, *(_REFERENCE_QUALITY[ref] for ref in references), 0.0]
    return (*names, OUTLIER, *references, UNRATED), np.array(quality)


def _documents(
    pair: SimulatedPair, rng: np.random.Generator
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return the document of each segment and how it was rated: 2 fully, 1 partly, 0 not.

    Documents are rated as a whole; rated and other documents come in random order.
    """
    n_unrated = pair.n_segments - pair.n_rated - pair.n_partial
    sizes, states = [], []
    for state, total in ((2, pair.n_rated), (1, pair.n_partial), (0, n_unrated)):
        while total > 0:
            sizes.append(min(int(rng.integers(4, 25)), total))
            states.append(state)
            total -= sizes[-1]
    order = rng.permutation(len(sizes))
    lengths = np.array(sizes)[order]
    return np.repeat(np.arange(len(sizes)), lengths), np.repeat(np.array(states)[order], lengths)


def _copied(systems: tuple[str, ...], n_segments: int, rng: np.random.Generator) -> BoolArray:
    """Return which translations are the one that several systems give, systems x segments."""
    short = rng.random(n_segments) < _SHORT
    often = np.where(short, _COPY_SHORT, _COPY_LONG)
    copied: BoolArray = rng.random((len(systems), n_segments)) < often
    copied[[name in _REFERENCE_QUALITY for name in systems]] = False
    return copied


def _latent(
    quality: FloatArray,
    documents: npt.NDArray[np.int64],
    copied: BoolArray,
    rng: np.random.Generator,
) -> FloatArray:
    n_systems, n_segments = copied.shape
    n_documents = int(documents[-1]) + 1
    difficulty = _SEGMENT * rng.standard_normal((n_segments,))
    difficulty += _DOCUMENT * rng.standard_normal((n_documents,))[documents]
    own = _SYSTEM_DOCUMENT * rng.standard_normal((n_systems, n_documents))[:, documents]
    own += _CELL * rng.standard_normal((n_systems, n_segments)) + quality[:, None]
    common = _CELL * rng.standard_normal(n_segments)
    return np.where(copied, common, own) - difficulty


def _gold(
    latent: FloatArray, copied: BoolArray, severity: float, rng: np.random.Generator
) -> FloatArray:
    # Positive, and about exp(-latent) near 0.
    burden = np.sqrt(latent * latent + 1.0) - latent
    # Raters judge like translations alike, and often find the same fault in unlike ones.
    alike = copied | (rng.random(latent.shape) < _SAME_FAULT)
    tenths = np.zeros(latent.shape)
    for weight, rate in (
        (50, 0.09 * severity * burden * burden),
        (10, 0.40 * np.sqrt(severity) * burden),
        (1, 0.08 * burden),
    ):
        own, common = rng.random(latent.shape), rng.random(latent.shape[1])
        uniform = np.where(alike, common, own)
        # Errors come in bursts: their number is geometric, P(at least k) = ratio ** k.
        ratio = rate / (1.0 + rate)
        at_least = ratio
        for _ in range(_MOST_ERRORS):
            tenths += weight * (uniform < at_least)
            at_least = at_least * ratio
    return -np.minimum(tenths, 250.0) / 10.0


def _metric_scores(
    metrics: tuple[SimulatedMetric, ...],
    latent: FloatArray,
    copied: BoolArray,
    rng: np.random.Generator,
) -> tuple[FloatArray, FloatArray]:
    scores = np.empty((len(metrics), *latent.shape))
    bias = np.empty((len(metrics), latent.shape[0]))
    place = {metric.name: index for index, metric in enumerate(metrics)}
    for index, metric in enumerate(metrics):
        if metric.duplicate_of is not None:
            scores[index] = scores[place[metric.duplicate_of]]
            bias[index] = bias[place[metric.duplicate_of]]
            continue
        noise = np.sqrt(1.0 - metric.reliability**2)
        bias[index] = _BIAS * noise * rng.standard_normal(latent.shape[0])
        # 0.8 and 0.6 are the shares of the segment and of the translation: squares sum to 1.
        segment = 0.8 * rng.standard_normal(latent.shape[1])
        own = 0.6 * rng.standard_normal(latent.shape)
        common = 0.6 * rng.standard_normal(latent.shape[1])
        heard = np.where(copied, noise * common, noise * own + bias[index][:, None])
        seen = metric.reliability * latent + noise * segment + heard
        scores[index] = _on_scale(seen, metric.scale)
    return scores, bias


def _on_scale(values: FloatArray, scale: str) -> FloatArray:
    """Map standardised values to the range of a metric, preserving their order."""
    if scale == "plain":
        return values
    if scale in ("penalty", "integer"):
        penalty = 2.0 * (values - np.sqrt(values * values + 1.0))
        return penalty if scale == "penalty" else np.maximum(np.rint(penalty), -25.0)
    squashed = 0.5 * (1.0 + values / np.sqrt(values * values + 2.0))
    return 100.0 * squashed if scale == "percent" else squashed
