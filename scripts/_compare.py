"""What the keys `compare` and `nlpstattest` of a configuration ask for: jobs, scores, files."""

from __future__ import annotations

from collections.abc import Mapping
from math import comb
from pathlib import Path
from typing import Any

from scripts._batches import batch_names
from scripts._inputs import simulation_spec
from scripts._names import plain_name
from sigcore.errors import InputError
from sigcore.evalset import EvalSet
from sigcore.io.tables import read_evalset_table, read_metric_names
from sigcore.validation import FloatArray

__all__ = ["GOLD", "check_unit_size", "paired_scores", "read_scorer", "system_pair_batches"]

# The scorer that stands for people.
GOLD = "gold"
# Systems of a simulated set that its size does not count: a reference, an outlier, one unrated.
_SIMULATED_EXTRA = 3


def system_pair_batches(
    config: Mapping[str, Any], lp: str, gold: str, *, both_orders: bool = False
) -> list[str]:
    """Name the batches of system pairs of one language pair, as ``1-of-3``.

    Parameters
    ----------
    config : mapping
        The configuration, defaults filled in.
    lp : str
        The language pair.
    gold : str
        The file of its human scores; a simulated one need not be there yet.
    both_orders : bool
        Whether a pair is two comparisons, one in each order.

    Returns
    -------
    list of str
        No batch has more pairs than the configuration allows. The selection may leave systems
        out, so a batch may have fewer.
    """
    size = config["batches"]["system_pairs_per_job"]
    if not size:
        return batch_names(1, 0)
    n_pairs = comb(_count_systems(config, lp, Path(gold)), 2)
    return batch_names(2 * n_pairs if both_orders else n_pairs, size)


def read_scorer(path: str | Path, scorer: str) -> tuple[EvalSet, FloatArray]:
    """Read an evaluation set and the scores, systems x segments, that its systems have."""
    if scorer == GOLD:
        evalset, _ = read_evalset_table(path, metrics=[])
        return evalset, evalset.gold
    known = read_metric_names(path)
    if scorer not in known:
        raise InputError(
            f"`compare.scorer` must be {GOLD} or a metric of {path}, one of {', '.join(known)}; "
            f"got {scorer!r}."
        )
    evalset, _ = read_evalset_table(path, metrics=[scorer])
    return evalset, evalset.scores[0]


def check_unit_size(size: int, evalset: EvalSet) -> None:
    """Refuse evaluation units that are larger than the evaluation set."""
    if size > evalset.n_segments:
        raise InputError(
            f"`compare.unit_size` must be at most {evalset.n_segments}, the number of segments of "
            f"{evalset.title}; got {size}."
        )


def paired_scores(config: Mapping[str, Any], folder: str) -> str:
    """Name the file with the scores of two systems.

    Parameters
    ----------
    config : mapping
        The configuration, defaults filled in.
    folder : str
        Where simulated scores go.

    Raises
    ------
    InputError
        If there is no such file.
    """
    name = config["nlpstattest"]["scores"]
    if name == "simulated":
        return f"{folder}/scores.txt"
    if not Path(name).is_file():
        raise InputError(f"{name}: no such file, named by `nlpstattest.scores`.")
    return plain_name(name)


def _count_systems(config: Mapping[str, Any], lp: str, gold: Path) -> int:
    """Count the systems of a file of scores; those to be simulated are not written yet."""
    simulated = simulation_spec(config.get("simulate"))
    if simulated is not None and gold.parents[1].name == simulated.testset:
        shape = next(pair for pair in simulated.pairs if pair.language_pair == lp)
        return shape.n_systems + _SIMULATED_EXTRA
    lines = [line for line in gold.read_bytes().split(b"\n") if line.strip()]
    return len({line.split(b"\t" if b"\t" in line else None)[0] for line in lines})
