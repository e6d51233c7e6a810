"""What the names on the command line stand for, and why a metric is not in use."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sigcore.errors import DataFileError, InputError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from sigcore.evalset import EvalSet, LeftOut, Metric

__all__ = ["NamedMetrics", "expand_folders"]


def expand_folders(metrics: Sequence[str]) -> list[str]:
    """Replace each folder by the score files in it."""
    from sigcore.io.score_folder import list_score_files

    expanded: list[str] = []
    for metric in metrics:
        if not metric:
            raise InputError("a metric must be a file or a name; got an empty text.")
        inside = list_score_files(metric) if Path(metric).is_dir() else (metric,)
        expanded += map(str, inside)
    return expanded


@dataclass(frozen=True, slots=True)
class NamedMetrics:
    """Finds metrics by what the user calls them.

    Attributes
    ----------
    everything : EvalSet
        All metrics.
    chosen : EvalSet
        Those in use.
    left_out : tuple of LeftOut
        Why others are not.
    root : Path
        What the sources of stored metrics are relative to.
    """

    everything: "EvalSet"
    chosen: "EvalSet"
    left_out: "tuple[LeftOut, ...]"
    root: Path

    def label(self, name: str) -> str:
        """Return the label of the metric in use that a file or a name stands for."""
        path = Path(name)
        for metric in self.chosen.metrics:
            if metric.extra and Path(metric.source) == path:
                return metric.name
        # A name that is no file is that of a stored metric, whatever the user's files are called.
        stored = [metric for metric in self.chosen.metrics if not metric.extra]
        for metric in stored:
            if name in (metric.name, metric.identifier):
                return metric.name
        self._refuse_left_out(name)
        known = ", ".join(metric.name for metric in stored)
        raise InputError(f"{name!r} is neither a file nor one of the metrics in use: {known}.")

    def refuse_incomplete_files(self) -> None:
        """Refuse a file of the user that lacks scores; stored metrics are left out and listed."""
        own = {metric.identifier for metric in self.everything.metrics if metric.extra}
        for entry in self.left_out:
            if entry.kind == "metric" and entry.name in own:
                raise self._error(entry)

    def _refuse_left_out(self, name: str) -> None:
        """Refuse a stored metric that is not in use, and say why it is not."""
        called = {
            metric.identifier
            for metric in self.everything.metrics
            if not metric.extra and name in (metric.name, metric.base, metric.identifier)
        }
        for entry in self.left_out:
            if entry.kind == "metric" and entry.name in called:
                raise self._error(entry, f"{name!r} is left out: ")

    def _error(self, entry: "LeftOut", told: str = "") -> InputError:
        """Say why a metric was left out; if it lacks scores, where in its file."""
        from sigcore.evalset.gaps import EXPECTED
        from sigcore.io.scores import find_line, read_scores

        if not entry.reason.startswith(EXPECTED):
            return InputError(f"{told}{entry.reason.rstrip('.')}.")
        metric, gaps = self._gaps(entry.name)
        path = Path(metric.source) if metric.extra else self.root / metric.source
        there = read_scores(path).scores
        absent = [repr(name) for name in self.chosen.systems if name not in there]
        if absent:
            where = f"no line has system {', '.join(absent)}; "
            return DataFileError(path, f"{told}{where}{entry.reason}")
        row, column = (int(index[0]) for index in gaps.nonzero())
        line = find_line(path, self.chosen.systems[row], int(self.everything.segments[column]))
        # Segments with a gap are left out for all metrics; some must remain.
        some_remain = (~gaps.any(axis=0) & self._rated()).any()
        advice = " `--max-missing` allows a share of gaps." if some_remain else ""
        return DataFileError(path, f"{told}{entry.reason}{advice}", line=line)

    def _gaps(self, identifier: str) -> "tuple[Metric, npt.NDArray[np.bool_]]":
        """Find where a metric lacks scores that it needs, systems in use x all segments."""
        import numpy as np

        index = [metric.identifier for metric in self.everything.metrics].index(identifier)
        missing = np.isnan(self.everything.scores[index][self._rows()])
        return self.everything.metrics[index], missing & self._rated()

    def _rated(self) -> "npt.NDArray[np.bool_]":
        """Return which segments have gold for every system in use."""
        import numpy as np

        return np.asarray(self.everything.mask[self._rows()].all(axis=0))

    def _rows(self) -> list[int]:
        return [self.everything.systems.index(name) for name in self.chosen.systems]
