"""Read the texts of a test set: what systems wrote, and reference translations.

The layout is that of mt-metrics-eval, `<root>/<testset>/` with::

    system-outputs/<lp>/<system>.txt  one line a segment
    references/<lp>.<name>.txt        one line a segment
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sigcore.errors import DataFileError
from sigcore.io.lines import read_lines

__all__ = ["Texts", "read_texts"]


@dataclass(frozen=True, slots=True)
class Texts:
    """Translations of the same segments.

    Attributes
    ----------
    systems : tuple of str
        Names of the systems, in the order asked for.
    outputs : tuple of tuple of str
        The segments of each system.
    references : dict of str to tuple of str
        The segments of each reference, by its name.
    """

    systems: tuple[str, ...]
    outputs: tuple[tuple[str, ...], ...]
    references: dict[str, tuple[str, ...]]

    def take(self, segments: Sequence[int]) -> "Texts":
        """Return the texts of some segments, counted from 0, in this order."""
        return Texts(
            systems=self.systems,
            outputs=tuple(tuple(text[i] for i in segments) for text in self.outputs),
            references={
                name: tuple(text[i] for i in segments) for name, text in self.references.items()
            },
        )


def read_texts(
    root: str | Path,
    testset: str,
    language_pair: str,
    *,
    systems: Sequence[str],
    references: Sequence[str],
    n_segments: int | None = None,
) -> Texts:
    """Read outputs of systems and reference translations.

    Parameters
    ----------
    root : str or Path
        Directory that holds the test sets.
    testset, language_pair : str
        What to read.
    systems : sequence of str
        Names of the systems. A human translation may be among the references only.
    references : sequence of str
        Names of the references, for example ``["refA"]``.
    n_segments : int, optional
        Number of lines that each file must have; by default as many as the first one has.

    Returns
    -------
    Texts

    Raises
    ------
    DataFileError
        If a file is not there, is not UTF-8, or has another number of lines.
    """
    directory = Path(root) / testset
    paths = {name: _reference_path(directory, language_pair, name) for name in references}
    texts: dict[str, tuple[str, ...]] = {}
    for name, path in paths.items():
        texts[name] = _read(path, n_segments)
        n_segments = len(texts[name])
    outputs = []
    for system in systems:
        path = directory / "system-outputs" / language_pair / f"{system}.txt"
        if not path.is_file() and _reference_path(directory, language_pair, system).is_file():
            path = _reference_path(directory, language_pair, system)
        outputs.append(_read(path, n_segments))
        n_segments = len(outputs[-1])
    return Texts(systems=tuple(systems), outputs=tuple(outputs), references=texts)


def _reference_path(directory: Path, language_pair: str, name: str) -> Path:
    return directory / "references" / f"{language_pair}.{name}.txt"


def _read(path: Path, n_segments: int | None) -> tuple[str, ...]:
    if not path.is_file():
        raise DataFileError(path, "there is no such file; corpus-level metrics need the texts.")
    lines = read_lines(path)
    if n_segments is not None and len(lines) != n_segments:
        raise DataFileError(
            path,
            f"expected {n_segments} lines, one a segment; found {len(lines)}.",
            line=min(len(lines), n_segments) + 1,
        )
    return tuple(lines)
