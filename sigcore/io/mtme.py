"""Read the directory layout of mt-metrics-eval.

The layout is `<root>/<testset>/` with::

    human-scores/<lp>.<gold>.seg.score           human scores of the segments
    metric-scores/<lp>/<metric>-<ref>.seg.score  scores of a metric, `-src` without reference
    documents/<lp>.docs                          domain and document of each segment (optional)
    references/<lp>.<name>.txt                   reference translations (optional, names only)

A score file has one line a score, `system<TAB>score`, with the scores of a system in the order of
the test set and `None` where there is none. A file without a tab in its first line may use blanks
instead. Systems usually follow one after another, but their lines may also alternate. The file
is UTF-8 without byte order mark, lines end in a line feed, and `nan` and `inf` are not scores.
Nothing is repaired: a file that breaks these rules is refused with its name and line.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.csv as pacsv

from sigcore.errors import DataFileError, InputError
from sigcore.evalset import EvalSet, Metric, unique_labels
from sigcore.testsets import PairFacts, load_testset

__all__ = [
    "ScoreFile",
    "list_gold_names",
    "list_language_pairs",
    "list_metric_files",
    "metric_id",
    "read_documents",
    "read_evalset",
    "read_scores",
]

FloatArray = npt.NDArray[np.float64]

_SUFFIX = ".seg.score"


@dataclass(frozen=True, slots=True)
class ScoreFile:
    """Contents of a score file.

    Attributes
    ----------
    path : Path
        The file.
    scores : dict of str to ndarray
        Scores of each system, systems in the order of the file; NaN where the file has `None`.
    n_segments : int
        Number of scores of each system.
    n_missing : int
        Number of `None` in the file.
    """

    path: Path
    scores: dict[str, FloatArray]
    n_segments: int
    n_missing: int

    @property
    def systems(self) -> tuple[str, ...]:
        """Names of the systems, in the order of the file."""
        return tuple(self.scores)


def read_scores(
    path: str | Path, *, allow_missing: bool = True, n_segments: int | None = None
) -> ScoreFile:
    """Read a segment-level score file.

    Parameters
    ----------
    path : str or Path
        The file.
    allow_missing : bool, default True
        Whether `None` may stand for a score.
    n_segments : int, optional
        Number of scores that each system must have. Without it all systems must have as many as
        most of them have.

    Returns
    -------
    ScoreFile
        The scores.

    Raises
    ------
    DataFileError
        If the file cannot be read or breaks the format; the message has the line.
    """
    path = Path(path)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise DataFileError(path, f"cannot be read: {error.strerror}.") from error
    parsed = _parse_fast(data)
    names, codes, values = parsed if parsed is not None else _parse_strict(data, path)
    missing = np.isnan(values)
    if missing.any() and not allow_missing:
        line = int(np.flatnonzero(missing)[0]) + 1
        raise DataFileError(path, "expected a number; found 'None'.", line=line)
    expected = _check_counts(path, names, codes, n_segments)
    scores = values[np.argsort(codes, kind="stable")].reshape(len(names), expected)
    return ScoreFile(path, dict(zip(names, scores, strict=True)), expected, int(missing.sum()))


def list_language_pairs(root: str | Path, testset: str) -> tuple[str, ...]:
    """Return the language pairs of a test set that have metric scores or human scores, sorted."""
    directory = _testset_directory(root, testset)
    pairs = {path.name for path in (directory / "metric-scores").glob("*") if path.is_dir()}
    for path in (directory / "human-scores").glob(f"*{_SUFFIX}"):
        pairs.add(path.name.split(".")[0])
    return tuple(sorted(pairs))


def list_gold_names(root: str | Path, testset: str, language_pair: str) -> tuple[str, ...]:
    """Return the names of the human scores of a language pair at segment level, sorted."""
    directory = _testset_directory(root, testset) / "human-scores"
    paths = directory.glob(f"{language_pair}.*{_SUFFIX}")
    prefix = f"{language_pair}."
    return tuple(sorted(p.name.removeprefix(prefix).removesuffix(_SUFFIX) for p in paths))


def list_metric_files(root: str | Path, testset: str, language_pair: str) -> tuple[Path, ...]:
    """Return the segment-level metric files of a language pair, sorted by name."""
    directory = _testset_directory(root, testset) / "metric-scores" / language_pair
    return tuple(sorted(directory.glob(f"*{_SUFFIX}")))


def metric_id(path: str | Path) -> tuple[str, str]:
    """Split the name of a metric file at the last dash into base name and reference.

    Examples
    --------
    >>> metric_id("UniTE-src-src.seg.score")
    ('UniTE-src', 'src')
    >>> metric_id("metametrics_mt_mqm_qe_kendall.seg.s-src.seg.score")
    ('metametrics_mt_mqm_qe_kendall.seg.s', 'src')
    """
    stem = _stem(Path(path))
    base, dash, reference = stem.rpartition("-")
    if not dash or not base or not reference:
        raise DataFileError(path, f"expected a name like METRIC-REFERENCE{_SUFFIX}.")
    return base, reference


def read_documents(path: str | Path) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Read a document file: one line a segment, domain and document.

    Returns
    -------
    domains, documents : tuple of str
        Domain and document of each segment.
    """
    path = Path(path)
    domains, documents = [], []
    for number, line in enumerate(_lines(path.read_bytes(), path), start=1):
        fields = line.split("\t") if "\t" in line else line.split()
        if len(fields) != 2 or not all(fields):
            raise DataFileError(
                path, f"expected 'domain<TAB>document'; found {_quote(line)}.", line=number
            )
        domains.append(fields[0])
        documents.append(fields[1])
    return tuple(domains), tuple(documents)


def read_evalset(
    root: str | Path,
    testset: str,
    language_pair: str,
    *,
    gold: str | None = None,
    extra_metric_files: Sequence[str | Path] = (),
    facts: PairFacts | None = None,
) -> EvalSet:
    """Read everything there is about a language pair at segment level.

    Parameters
    ----------
    root : str or Path
        Directory that holds the test sets.
    testset, language_pair : str
        What to read.
    gold : str, optional
        Name of the human scores; the default is the standard one.
    extra_metric_files : sequence of str or Path
        A user's own score files, or directories of them.
    facts : PairFacts, optional
        Facts about the language pair; the default is what `load_testset` has.

    Returns
    -------
    EvalSet
        All systems and metrics. A system that a file does not have is NaN there; what that means
        is decided by `sigcore.evalset.select`.
    """
    directory = _testset_directory(root, testset)
    if facts is None:
        facts = load_testset(testset, root=root).facts(language_pair)
    human = read_scores(_gold_path(root, testset, language_pair, gold or facts.gold))
    documents = _documents(directory, language_pair, human)
    metrics = _metrics(root, testset, language_pair, extra_metric_files, facts)
    files = [(metric, read_scores(path, n_segments=human.n_segments)) for metric, path in metrics]
    systems = sorted({name for f in (human, *(f for _, f in files)) for name in f.systems})
    references = _references(directory, language_pair, systems, facts, [m for m, _ in files])
    by_id = {metric.identifier: file for metric, file in files}
    labelled = unique_labels(metric for metric, _ in files)
    return EvalSet(
        testset=testset,
        language_pair=language_pair,
        gold_name=gold or facts.gold or "",
        systems=tuple(systems),
        human_systems=tuple(name for name in systems if name in references),
        segments=np.arange(human.n_segments, dtype=np.int64),
        documents=documents,
        gold=_matrix(human, systems),
        metrics=tuple(labelled),
        scores=np.stack([_matrix(by_id[metric.identifier], systems) for metric in labelled]),
    )


Parsed = tuple[list[str], npt.NDArray[np.int64], FloatArray]


def _parse_fast(data: bytes) -> Parsed | None:
    """Parse a well-formed file in one pass; None if there is anything to look at line by line."""
    if not data or data.startswith(b"\xef\xbb\xbf") or b"\r" in data or b"\x00" in data:
        return None
    try:
        table = pacsv.read_csv(
            pa.BufferReader(data),
            read_options=pacsv.ReadOptions(
                column_names=["system", "score"], block_size=len(data) + 1, use_threads=False
            ),
            parse_options=pacsv.ParseOptions(
                delimiter="\t", quote_char=False, ignore_empty_lines=False
            ),
            convert_options=pacsv.ConvertOptions(
                column_types={
                    "system": pa.dictionary(pa.int32(), pa.string()),
                    "score": pa.float64(),
                },
                null_values=["None"],
                strings_can_be_null=False,
            ),
        )
    except pa.ArrowInvalid:
        return None
    system = table.column("system").combine_chunks()
    score = table.column("score").combine_chunks()
    names = system.dictionary.to_pylist()
    values = score.to_numpy(zero_copy_only=False)
    # The parser takes `nan` and `inf` for numbers; the strict pass refuses them.
    if np.isfinite(values).sum() + score.null_count != len(values):
        return None
    if any(not name or name != name.strip() for name in names):
        return None
    return names, system.indices.to_numpy().astype(np.int64), values


_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)


def _parse_strict(data: bytes, path: Path) -> Parsed:
    """Parse line by line and say what is wrong with the first line that is."""
    codes: dict[str, int] = {}
    code, values = [], []
    tabs: bool | None = None
    for number, line in enumerate(_lines(data, path), start=1):
        tabs = "\t" in line if tabs is None else tabs
        fields = line.split("\t") if tabs else line.split()
        if len(fields) != 2:
            raise DataFileError(
                path,
                f"expected 2 columns, 'system<TAB>score'; found {len(fields)} in {_quote(line)}.",
                line=number,
            )
        system, score = fields
        if not system or system != system.strip():
            raise DataFileError(
                path, f"expected the name of a system; found {_quote(system)}.", line=number
            )
        code.append(codes.setdefault(system, len(codes)))
        values.append(_number(score.strip(" "), path, number))
    return list(codes), np.array(code, dtype=np.int64), np.array(values, dtype=np.float64)


def _lines(data: bytes, path: Path) -> list[str]:
    """Split a text file into lines, refusing what is not plain UTF-8 text with line feeds."""
    if not data:
        raise DataFileError(path, "is empty.", line=1)
    if data.startswith(b"\xef\xbb\xbf"):
        raise DataFileError(path, "starts with a byte order mark; save as plain UTF-8.", line=1)
    position = data.find(b"\r")
    if position >= 0:
        raise DataFileError(
            path,
            "has a carriage return (a Windows line end, CRLF?); lines must end in a line feed.",
            line=data.count(b"\n", 0, position) + 1,
        )
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise DataFileError(path, "is not UTF-8 text.", line=line) from error
    return text.removesuffix("\n").split("\n")


def _number(text: str, path: Path, line: int) -> float:
    if text == "None":
        return float("nan")
    if _NUMBER.fullmatch(text) is None or not np.isfinite(float(text)):
        raise DataFileError(
            path, f"expected a finite number or 'None'; found {_quote(text)}.", line=line
        )
    return float(text)


def _quote(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:57] + "...")


def _check_counts(
    path: Path, names: list[str], codes: npt.NDArray[np.int64], n_segments: int | None
) -> int:
    """Return the number of scores of each system, the same for all."""
    counts = np.bincount(codes, minlength=len(names))
    expected = n_segments
    if expected is None:
        # The most frequent count; the larger one if two are equally frequent.
        expected = max(Counter(counts.tolist()).items(), key=lambda item: (item[1], item[0]))[0]
    for code in np.flatnonzero(counts != expected)[:1]:
        raise DataFileError(
            path,
            f"expected {expected} scores of each system; found {counts[code]} of "
            f"{names[code]!r}, the last one here.",
            line=int(np.flatnonzero(codes == code)[-1]) + 1,
        )
    return expected


def _testset_directory(root: str | Path, testset: str) -> Path:
    directory = Path(root) / testset
    if not directory.is_dir():
        there = _listing(path.name for path in Path(root).glob("*") if path.is_dir())
        raise InputError(f"There is no directory {directory}; {root} has {there}.")
    return directory


def _listing(names: Iterable[str]) -> str:
    return ", ".join(sorted(names)) or "nothing"


def _stem(path: Path) -> str:
    """Return the name of a score file without its suffix."""
    for suffix in (_SUFFIX, ".score", ".tsv", ".txt"):
        if path.name.endswith(suffix):
            return path.name.removesuffix(suffix)
    return path.name


def _gold_path(root: str | Path, testset: str, pair: str, gold: str | None) -> Path:
    directory = _testset_directory(root, testset)
    if pair not in list_language_pairs(root, testset):
        there = _listing(list_language_pairs(root, testset))
        raise InputError(f"`language_pair` {pair!r} is not in {directory}, which has {there}.")
    names = _listing(list_gold_names(root, testset, pair))
    if gold is None:
        raise InputError(f"{testset} {pair} has no standard gold; name one with `gold` ({names}).")
    path = directory / "human-scores" / f"{pair}.{gold}{_SUFFIX}"
    if not path.is_file():
        raise DataFileError(path, f"there is no such file; human scores of {pair} are {names}.")
    return path


def _documents(directory: Path, pair: str, human: ScoreFile) -> tuple[str, ...] | None:
    path = directory / "documents" / f"{pair}.docs"
    if not path.is_file():
        return None
    _, documents = read_documents(path)
    if len(documents) != human.n_segments:
        raise DataFileError(
            path,
            f"expected {human.n_segments} lines, one a segment as in {human.path}; "
            f"found {len(documents)}.",
        )
    return documents


def _metrics(
    root: str | Path,
    testset: str,
    pair: str,
    extra: Sequence[str | Path],
    facts: PairFacts,
) -> list[tuple[Metric, Path]]:
    """Return the metrics of a language pair, each with its file."""
    found: dict[str, tuple[Metric, Path]] = {}
    official = [(path, False) for path in list_metric_files(root, testset, pair)]
    references = {*facts.references, "src", "all"}
    for path, _ in official:
        references |= set(metric_id(path)[1].split("."))
    for path, own in [*official, *((path, True) for path in _expand(extra))]:
        metric = _metric(path, own, references, facts)
        if metric.identifier in found:
            other = found[metric.identifier][1]
            raise DataFileError(path, f"is a second file of {metric.identifier}, beside {other}.")
        found[metric.identifier] = (metric, path)
    if not found:
        directory = _testset_directory(root, testset) / "metric-scores" / pair
        raise DataFileError(directory, f"there is no metric file, *{_SUFFIX}.")
    return list(found.values())


def _expand(paths: Sequence[str | Path]) -> list[Path]:
    """Replace each directory by the score files in it."""
    files: list[Path] = []
    for path in map(Path, paths):
        if not path.is_dir():
            files.append(path)
            continue
        inside = sorted(path.glob(f"*{_SUFFIX}"))
        if not inside:
            raise DataFileError(path, f"there is no score file, *{_SUFFIX}, in this directory.")
        files.extend(inside)
    return files


def _metric(path: Path, own: bool, references: set[str], facts: PairFacts) -> Metric:
    base, _, reference = _stem(path).rpartition("-")
    # The name of a user's file need not end in a reference.
    if own and not (base and set(reference.split(".")) <= references):
        base, reference = _stem(path), ""
    return Metric(
        name=base,
        base=base,
        reference=reference,
        primary=base in facts.primary_metrics,
        baseline=base in facts.baseline_metrics,
        extra=own,
        source=str(path) if own else path.name,
    )


# ASSUME: without the reference files, a system called ref, refA, refb, posteditB and the like is
# a human translation: these are the names of the references in all WMT sets from 2019 to 2025.
_REFERENCE_NAME = re.compile(r"(?:ref|postedit)[A-Za-z]?")


def _references(
    directory: Path, pair: str, systems: list[str], facts: PairFacts, metrics: list[Metric]
) -> set[str]:
    """Return the names of reference translations."""
    files = (directory / "references").glob(f"{pair}.*.*")
    names = {path.name.removeprefix(f"{pair}.").rpartition(".")[0] for path in files}
    if names:
        return names
    used = {name for metric in metrics for name in metric.reference.split(".")}
    named = {name for name in systems if _REFERENCE_NAME.fullmatch(name)}
    return (used - {"src", "all", ""}) | set(facts.references) | named


def _matrix(file: ScoreFile, systems: list[str]) -> FloatArray:
    matrix = np.full((len(systems), file.n_segments), np.nan)
    for row, system in enumerate(systems):
        if system in file.scores:
            matrix[row] = file.scores[system]
    return matrix
