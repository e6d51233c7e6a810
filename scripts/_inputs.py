"""Which files a run reads and how its work is cut into jobs, known before anything runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import comb
from pathlib import Path
from typing import Any

from scripts._batches import batch_names
from scripts._names import plain_name
from sigcore.errors import DataFileError, InputError
from sigcore.io.metric_files import SUFFIX
from sigcore.io.mtme import list_metric_files
from sigcore.io.system_scores import list_system_files
from sigcore.simulate import SimulatedPair, SimulationSpec, default_spec, file_names
from sigcore.testsets import TestsetFacts, load_testset

__all__ = ["EvaluationInputs", "simulation_spec"]

Pair = tuple[str, str]

_SIZES = ("metrics_per_job", "metric_pairs_per_job")


@dataclass(frozen=True, slots=True)
class PairFiles:
    """The files of one language pair.

    Attributes
    ----------
    gold : str
        Human scores.
    metrics : tuple of str
        Scores of the stored metrics.
    my_metrics : tuple of str
        Scores of the user's own metrics.
    others : tuple of str
        Documents and facts, where the set has them.
    system_scores : tuple of str
        Published scores of whole systems, where they lie beside those of segments.
    """

    gold: str
    metrics: tuple[str, ...]
    my_metrics: tuple[str, ...]
    others: tuple[str, ...]
    system_scores: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EvaluationInputs:
    """What a configuration asks for, looked up in the data.

    Attributes
    ----------
    files : mapping of (testset, language pair) to PairFiles
        In the order of the configuration.
    skipped : tuple of str
        A sentence for each language pair that has no data and was skipped.
    metrics_per_job, metric_pairs_per_job : int
        Size of a batch; 0 means all.
    """

    files: Mapping[Pair, PairFiles]
    skipped: tuple[str, ...]
    metrics_per_job: int
    metric_pairs_per_job: int

    @classmethod
    def from_config(cls, config: Mapping[str, Any]) -> EvaluationInputs:
        """Look up everything that a validated configuration names.

        Raises
        ------
        InputError
            If a test set, a language pair or a file does not exist; a language pair without data
            only if it is not to be skipped.
        """
        _check_batches(config)
        pairs = list(_configured_pairs(config))
        files: dict[Pair, PairFiles] = {}
        skipped: list[str] = []
        for testset, lp in pairs:
            try:
                gold, metrics, others = _stored_files(config, testset, lp)
            except InputError as error:
                if config["missing_language_pairs"] == "error":
                    raise
                skipped.append(f"{testset} {lp} was skipped: {error}")
                continue
            mine = list(_my_metrics(config["my_metrics"], testset, lp, alone=len(pairs) == 1))
            _check_readable(mine if _is_simulated(config, testset) else [*metrics, *mine])
            files[testset, lp] = PairFiles(
                plain_name(str(gold)),
                _as_names(metrics),
                _as_names(mine),
                _as_names(others),
                _as_names(list_system_files([gold, *metrics, *mine])),
            )
        if pairs and not files:
            names = " ".join(config["testsets"])
            raise InputError(
                f"no language pair of the configuration has data. {skipped[0]} "
                f"The public data come with `sigcore data get {names} --to {config['data_root']}`."
            )
        sizes = {name: config["batches"][name] for name in _SIZES}
        return cls(files, tuple(skipped), **sizes)

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """Test sets and language pairs that have data, in the order of the configuration."""
        return tuple(self.files)

    def metric_batches(self, testset: str, lp: str) -> list[str]:
        """Name the batches of metrics of one language pair, as ``1-of-3``."""
        return batch_names(self._n_metrics(testset, lp), self.metrics_per_job)

    def comparison_batches(self, testset: str, lp: str) -> list[str]:
        """Name the batches of metric pairs of one language pair."""
        return batch_names(comb(self._n_metrics(testset, lp), 2), self.metric_pairs_per_job)

    def _n_metrics(self, testset: str, lp: str) -> int:
        files = self.files[testset, lp]
        return len(files.metrics) + len(files.my_metrics)


def simulation_spec(settings: Mapping[str, Any] | None) -> SimulationSpec | None:
    """Say what is to be simulated, from the key `simulate` of a configuration."""
    if settings is None:
        return None
    testset, seed = settings["testset"], settings["seed"]
    if "shapes" not in settings:
        return default_spec(seed, testset=testset)
    pairs = tuple(
        SimulatedPair(lp, shape["systems"], shape["segments"], shape["rated"], shape["metrics"])
        for lp, shape in settings["shapes"].items()
    )
    return SimulationSpec(testset=testset, seed=seed, pairs=pairs)


def _check_batches(config: Mapping[str, Any]) -> None:
    size = config["batches"]["metric_pairs_per_job"]
    if config["significance"]["adjust"] == "maxt" and size:
        raise InputError(
            "configuration: `significance.adjust: maxt` needs all comparisons of a language pair "
            f"in one job; `batches.metric_pairs_per_job` must be 0; got {size}."
        )


def _configured_pairs(config: Mapping[str, Any]) -> Iterator[Pair]:
    """Give each test set and language pair once, `official` replaced, names checked."""
    simulated = simulation_spec(config.get("simulate"))
    if simulated is not None and simulated.testset not in config["testsets"]:
        raise InputError(
            "configuration: `simulate.testset` must be one of `testsets`; "
            f"got {simulated.testset!r}."
        )
    if simulated is not None:
        _spare_real_scores(Path(config["data_root"]), simulated)
    for testset, asked in config["testsets"].items():
        if simulated is not None and testset == simulated.testset:
            known = tuple(pair.language_pair for pair in simulated.pairs)
            official = known
        else:
            facts = _facts(config, testset)
            known, official = facts.language_pairs, facts.official
        for lp in official if asked == "official" else asked:
            if lp not in known:
                raise InputError(
                    f"configuration: `testsets.{testset}` names the unknown language pair {lp!r}; "
                    f"known: {', '.join(known)}."
                )
            yield testset, lp


def _spare_real_scores(root: Path, simulated: SimulationSpec) -> None:
    """Refuse to simulate into a folder of scores that no simulation wrote."""
    folder = root / simulated.testset
    strangers = set(folder.rglob(f"*{SUFFIX}")) - {root / name for name in file_names(simulated)}
    if strangers and not (folder / "truth").is_dir():
        raise InputError(
            f"{min(strangers)}: was not simulated; `simulate.testset` must be a name that is not "
            "in `data_root` yet."
        )


def _facts(config: Mapping[str, Any], testset: str) -> TestsetFacts:
    """Load the facts about a test set, or say what of the configuration is wrong."""
    root = Path(config["data_root"])
    if not root.is_dir():
        names = " ".join(config["testsets"])
        raise InputError(
            f"{root}: no such folder, named by `data_root`. The public data come with "
            f"`sigcore data get {names} --to {root}`."
        )
    try:
        return load_testset(testset, root=root)
    except DataFileError:
        raise
    except InputError as error:
        raise InputError(f"configuration: `testsets.{testset}` is not known: {error}") from None


def _stored_files(
    config: Mapping[str, Any], testset: str, lp: str
) -> tuple[Path, list[Path], list[Path]]:
    """Find the gold, the metrics and the other files of a language pair."""
    root = Path(config["data_root"])
    simulated = simulation_spec(config.get("simulate"))
    if simulated is not None and _is_simulated(config, testset):
        names = [root / name for name in file_names(simulated)]
        gold = next(path for path in names if _is_gold(path, lp))
        metrics = [path for path in names if path.parent == gold.parents[1] / "metric-scores" / lp]
        others = [path for path in names if path.name in (f"{lp}.docs", "sigcore.yaml")]
    else:
        facts = load_testset(testset, root=root).facts(lp)
        folder = root / testset
        gold = folder / "human-scores" / f"{lp}.{facts.gold}{SUFFIX}"
        if not gold.is_file():
            raise InputError(f"{gold}: there are no human scores of {testset} {lp}.")
        metrics = list(list_metric_files(root, testset, lp))
        candidates = (folder / "documents" / f"{lp}.docs", folder / "sigcore.yaml")
        others = [path for path in candidates if path.is_file()]
    return gold, metrics, others


def _is_simulated(config: Mapping[str, Any], testset: str) -> bool:
    """Say whether the run itself writes the files of a test set."""
    return bool(testset == config.get("simulate", {}).get("testset"))


def _check_readable(paths: Iterable[Path]) -> None:
    """Refuse a name that is no file, such as a link to nothing."""
    for path in paths:
        if not path.is_file():
            what = "links to a file that is not there" if path.is_symlink() else "is not a file"
            raise InputError(f"{path}: this score file {what}.")


def _is_gold(path: Path, lp: str) -> bool:
    return path.parent.name == "human-scores" and path.name.startswith(f"{lp}.")


def _as_names(paths: Iterable[Path]) -> tuple[str, ...]:
    return tuple(plain_name(str(path)) for path in paths)


def _my_metrics(patterns: list[str], testset: str, lp: str, *, alone: bool) -> Iterator[Path]:
    """Give the user's score files of one language pair."""
    for pattern in patterns:
        if "{lp}" not in pattern and not alone:
            raise InputError(
                f"configuration: `my_metrics` has {pattern!r}, but the run has several language "
                "pairs; put {lp} (and {testset}) where their names belong."
            )
        path = Path(pattern.replace("{testset}", testset).replace("{lp}", lp))
        if path.is_dir():
            found = sorted(path.glob(f"[!.]*{SUFFIX}"))
            if not found:
                inside = ", ".join(sorted(folder.name for folder in path.glob("*/")))
                hint = f"; name one of those in it: {inside}" if inside else ""
                raise InputError(f"{path}: no score file, *{SUFFIX}, is in this folder{hint}.")
            yield from found
        elif path.is_file():
            yield path
        else:
            raise InputError(f"{path}: no such score file, named by `my_metrics`.")
