"""The report of `sigcore rank`: sentences and tables, as text, Markdown or LaTeX."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sigcore.cli._metrics import MetricData
from sigcore.cli._output import counted, format_table

if TYPE_CHECKING:
    from sigcore.meta.placement import Placement, Ranking

__all__ = ["describe_ranking"]

_FORMATS = {
    "SPA": ".4f",
    "PA": ".4f",
    "difference": "+.4f",
    "p": ".4f",
    "adjusted p": ".4f",
    "people": ".3f",
    "metric": ".3f",
    "distance": ".3f",
}
_PAIRS_TITLE = (
    "Pairs of systems on which it disagrees with people most, and how sure people and metric are "
    "that the first one is better:"
)


def describe_ranking(
    data: MetricData, ranking: "Ranking", notes: Sequence[str], *, form: str = "text"
) -> str:
    """Write the report.

    Parameters
    ----------
    data : MetricData
        What was ranked.
    ranking : Ranking
        The result.
    notes : sequence of str
        Warnings to pass on.
    form : {"text", "markdown", "latex"}
        In LaTeX the sentences are comments.
    """
    parts = [_paragraph(_data_lines(data, ranking), form)]
    for placement in ranking.placements:
        parts.append(_heading(placement.standing.name, form))
        parts.append(_paragraph(_summary(placement, ranking), form))
        parts.append(_table(_rivals(placement, ranking), form))
        if placement.disagreements:
            parts.append(_paragraph([_PAIRS_TITLE], form))
            parts.append(_table(_pairs(placement), form))
    if not ranking.placements:
        parts.append(_table(_lines(ranking), form))
    parts.append(_paragraph([*_method(ranking), *(f"Note: {note}" for note in notes)], form))
    return "\n".join(parts)


def _data_lines(data: MetricData, ranking: "Ranking") -> list[str]:
    evalset = data.evalset
    lines = [
        f"{evalset.testset} {evalset.language_pair}, gold {evalset.gold_name}: "
        f"{counted(ranking.n_systems, 'system')}, {counted(ranking.n_segments, 'segment')}, "
        f"{counted(ranking.n_ranked, 'metric')}."
    ]
    entries = [entry for entry in data.left_out if entry.kind == "system"]
    left_out = [f"{entry.name} ({entry.reason})" for entry in entries]
    counts: Counter[tuple[str, str]] = Counter()
    for entry in data.left_out:
        if entry.kind != "system":
            counts[entry.kind, entry.reason.rstrip(".")] += entry.count
    left_out += [f"{counted(n, kind)} ({reason})" for (kind, reason), n in counts.items()]
    if left_out:
        lines.append(f"Left out: {', '.join(left_out)}.")
    return lines


def _summary(placement: "Placement", ranking: "Ranking") -> list[str]:
    standing = placement.standing
    lines = [
        f"SPA {standing.spa:.4f}, PA {standing.pa:.4f}: it orders {standing.n_agree} of "
        f"{counted(standing.n_pairs, 'pair')} of systems as people do.",
        f"Place {standing.place} of {ranking.n_ranked}, cluster {standing.cluster} of "
        f"{ranking.n_clusters}.",
        f"Significantly better than {counted(placement.count('better'), 'rival')}, worse than "
        f"{placement.count('worse')}, not told apart from {placement.count('open')}.",
    ]
    if standing.spa < 0.5:
        lines.append(
            "It orders systems against people: are its larger scores better? "
            "--smaller-is-better turns them round."
        )
    return lines


def _rivals(placement: "Placement", ranking: "Ranking") -> dict[str, list[Any]]:
    """Return the ranking with what the tests say of one metric."""
    contests = {contest.other: contest for contest in placement.contests}
    table = _lines(ranking)
    found = [contests.get(line.name) for line in ranking.standings]
    table["difference"] = [c.difference if c else None for c in found]
    table["p"] = [c.pvalue if c else None for c in found]
    if ranking.adjust != "none":
        table["adjusted p"] = [c.adjusted if c else None for c in found]
    words = [c.outcome if c and c.outcome != "open" else "" for c in found]
    table[f"{placement.standing.name} is"] = words
    return table


def _lines(ranking: "Ranking") -> dict[str, list[Any]]:
    lines = ranking.standings
    return {
        "name": [line.name for line in lines],
        "place": [line.place for line in lines],
        "cluster": [line.cluster for line in lines],
        "SPA": [line.spa for line in lines],
        "PA": [line.pa for line in lines],
    }


def _pairs(placement: "Placement") -> dict[str, list[Any]]:
    pairs = placement.disagreements
    return {
        "people prefer": [pair.better for pair in pairs],
        "to": [pair.worse for pair in pairs],
        "people": [pair.gold_confidence for pair in pairs],
        "metric": [pair.metric_confidence for pair in pairs],
        "distance": [pair.distance for pair in pairs],
    }


def _method(ranking: "Ranking") -> list[str]:
    adjusted = "" if ranking.adjust == "none" else f", adjusted by {ranking.adjust}"
    return [
        f"p: {ranking.scheme.upper()}, two-sided, {counted(ranking.n_resamples, 'draw')}, seed "
        f"{ranking.seed}; significant up to {ranking.alpha:g}{adjusted}. Clusters: greedy rule of "
        "the metrics task, p not adjusted."
    ]


def _heading(title: str, form: str) -> str:
    return f"% {title}" if form == "latex" else f"## {title}\n"


def _paragraph(sentences: Sequence[str], form: str) -> str:
    if form == "latex":
        return "".join(f"% {sentence}\n" for sentence in sentences)
    return "".join(f"{sentence}\n" for sentence in sentences)


def _table(table: Mapping[str, list[Any]], form: str) -> str:
    from sigcore.io.typeset import to_latex, to_markdown

    if form == "latex":
        return to_latex(table, formats=_FORMATS)
    if form == "markdown":
        return to_markdown(table, formats=_FORMATS)
    n_names = 2 if "to" in table else 1
    columns = [_texts(values, _FORMATS.get(name, "")) for name, values in table.items()]
    return format_table(list(table), list(zip(*columns, strict=True)), left=n_names) + "\n"


def _texts(values: Sequence[Any], spec: str) -> list[str]:
    return ["" if value is None or value != value else format(value, spec) for value in values]
