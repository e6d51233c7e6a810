"""Files that `sigcore pairs` writes beside its report."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sigcore.comparison.pairs import PairsResult

__all__ = ["write_heatmaps", "write_pairs"]


def write_pairs(path: Path, results: "Mapping[str, PairsResult]") -> None:
    """Write all pairs of all datasets as one table."""
    from sigcore.io.tables import write_csv

    rows = [
        {"dataset": name, **record}
        for name, result in results.items()
        for record in result.to_records()
    ]
    write_csv(path, {column: [row[column] for row in rows] for column in rows[0]})


def write_heatmaps(path: Path, results: "Mapping[str, PairsResult]") -> None:
    """Draw the corrected p-values, one figure a dataset; several have its name in theirs."""
    for name, result in results.items():
        _write_heatmap(_numbered(path, name, len(results)), name, result)


def _write_heatmap(path: Path, name: str, result: "PairsResult") -> None:
    from matplotlib.figure import Figure

    from sigcore.plotting.matrices import draw_significance, significance_legend
    from sigcore.plotting.style import figure_style, save

    side = 2.5 + 0.28 * len(result.names)
    with figure_style():
        figure = Figure(figsize=(side + 1.5, side), layout="constrained")
        axes = draw_significance(
            figure.subplots(),
            result.names,
            result.means,
            result.adjusted,
            result.clusters.ranks.tolist(),
            alpha=result.alpha,
        )
        axes.set_title(f"{name}: {result.test}, {result.correction}")
        axes.legend(handles=significance_legend(result.alpha), loc="lower left")
        save(figure, path)


def _numbered(path: Path, name: str, total: int) -> Path:
    if total == 1:
        return path
    safe = "".join(char if char.isalnum() or char in "-_." else "_" for char in name)
    return path.with_name(f"{path.stem}.{safe}{path.suffix}")
