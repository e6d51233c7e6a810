"""Where a metric stands among others: sentences and tables for every form, and the page."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from sigcore.evalset import EvalSet, LeftOut, left_out_sentences
from sigcore.meta.placement import Placement, Ranking
from sigcore.report.page import Part
from sigcore.report.simple import note_html, render_page, table_html
from sigcore.wording import counted

__all__ = [
    "FORMATS",
    "PAIRS_TITLE",
    "contests_table",
    "data_sentences",
    "disagreements_table",
    "method_sentence",
    "placement_sentences",
    "render_placement",
    "standings_table",
]

FORMATS = {
    "SPA": ".4f",
    "PA": ".4f",
    "difference": "+.4f",
    "p": ".4f",
    "adjusted p": ".4f",
    "people": ".3f",
    "metric": ".3f",
    "distance": ".3f",
}
PAIRS_TITLE = (
    "Pairs of systems on which it disagrees with people most, and how sure people and metric are "
    "that the first one is better:"
)


def render_placement(
    evalset: EvalSet,
    ranking: Ranking,
    *,
    left_out: Sequence[LeftOut] = (),
    notes: Sequence[str] = (),
    facts: Mapping[str, str] | None = None,
) -> str:
    """Render the page of a ranking.

    Parameters
    ----------
    evalset : EvalSet
        What was ranked.
    ranking : Ranking
        From `place_metrics`.
    left_out : sequence of LeftOut
        What the selection left out.
    notes : sequence of str
        Warnings to pass on.
    facts : mapping of str to str, optional
        Where the result comes from: versions of the software, hashes of the inputs.

    Returns
    -------
    str
        The page.
    """
    names = [placement.standing.name for placement in ranking.placements]
    first, *others = data_sentences(evalset, ranking, left_out)
    parts = [
        Part(f"metric-{number}", placement.standing.name, _placement_html(placement, ranking))
        for number, placement in enumerate(ranking.placements, 1)
    ]
    if not names:
        parts.append(Part("ranking", "Ranking", _table_html(standings_table(ranking))))
    parts.append(Part("method", "Method", _method_html(ranking, others, notes)))
    if facts:
        rows = [{"name": name, "value": value} for name, value in facts.items()]
        parts.append(Part("provenance", "Provenance", table_html(rows, {"name": "", "value": ""})))
    title = f"{' and '.join(names)} among {counted(ranking.n_ranked, 'metric')}"
    return render_page(
        title if names else f"Ranking of {counted(ranking.n_ranked, 'metric')}",
        parts,
        subtitle=first,
        footer="Thompson, Mathur, Deutsch and Khayrallah (2024), soft pairwise accuracy.",
    )


def data_sentences(
    evalset: EvalSet, ranking: Ranking, left_out: Sequence[LeftOut] = ()
) -> list[str]:
    """Say what was ranked, and if anything was left out, what and why."""
    return [
        f"{evalset.testset} {evalset.language_pair}, gold {evalset.gold_name}: "
        f"{counted(ranking.n_systems, 'system')}, {counted(ranking.n_segments, 'segment')}, "
        f"{counted(ranking.n_ranked, 'metric')}.",
        *left_out_sentences(left_out),
    ]


def placement_sentences(placement: Placement, ranking: Ranking) -> list[str]:
    """Say where a metric stands and how many rivals it beats."""
    standing = placement.standing
    sentences = [
        f"SPA {standing.spa:.4f}, PA {standing.pa:.4f}: it orders {standing.n_agree} of "
        f"{counted(standing.n_pairs, 'pair')} of systems as people do.",
        f"Place {standing.place} of {ranking.n_ranked}, cluster {standing.cluster} of "
        f"{ranking.n_clusters}.",
        _contests_sentence(placement),
    ]
    if standing.spa < 0.5:
        sentences.append(
            "It orders systems against people: are its larger scores better? "
            "--smaller-is-better turns them round."
        )
    return sentences


def _contests_sentence(placement: Placement) -> str:
    untested = sum(contest.pvalue != contest.pvalue for contest in placement.contests)
    apart = f"not told apart from {placement.count('open') - untested}"
    return (
        f"Significantly better than {counted(placement.count('better'), 'rival')}, worse than "
        f"{placement.count('worse')}, {apart}"
        + (f"; no p-value against {untested}." if untested else ".")
    )


def method_sentence(ranking: Ranking) -> str:
    """Say how the p-values and clusters were found."""
    adjusted = "" if ranking.adjust == "none" else f", adjusted by {ranking.adjust}"
    documents = ranking.n_documents
    swapped = "" if documents is None else f" of {counted(documents, 'document')}"
    draws = f"two-sided, {counted(ranking.n_resamples, 'draw')}, seed {ranking.seed}"
    return (
        f"p: {ranking.scheme.upper()}{swapped}, {draws}; significant up to "
        f"{ranking.alpha:g}{adjusted}. Clusters: greedy rule of the metrics task, p not adjusted."
    )


def standings_table(ranking: Ranking) -> dict[str, list[Any]]:
    """Return the columns of the ranking."""
    lines = ranking.standings
    return {
        "name": [line.name for line in lines],
        "place": [line.place for line in lines],
        "cluster": [line.cluster for line in lines],
        "SPA": [line.spa for line in lines],
        "PA": [line.pa for line in lines],
    }


def contests_table(placement: Placement, ranking: Ranking) -> dict[str, list[Any]]:
    """Return the columns of the ranking with what the tests say of one metric."""
    contests = {contest.other: contest for contest in placement.contests}
    table = standings_table(ranking)
    found = [contests.get(line.name) for line in ranking.standings]
    table["difference"] = [c.difference if c else None for c in found]
    table["p"] = [c.pvalue if c else None for c in found]
    if ranking.adjust != "none":
        table["adjusted p"] = [c.adjusted if c else None for c in found]
    words = [c.outcome if c and c.outcome != "open" else "" for c in found]
    table[f"{placement.standing.name} is"] = words
    return table


def disagreements_table(placement: Placement) -> dict[str, list[Any]]:
    """Return the columns of the pairs of systems on which metric and people disagree."""
    pairs = placement.disagreements
    return {
        "people prefer": [pair.better for pair in pairs],
        "to": [pair.worse for pair in pairs],
        "people": [pair.gold_confidence for pair in pairs],
        "metric": [pair.metric_confidence for pair in pairs],
        "distance": [pair.distance for pair in pairs],
    }


def _placement_html(placement: Placement, ranking: Ranking) -> str:
    blocks = [f"<p>{escape(' '.join(placement_sentences(placement, ranking)))}</p>"]
    blocks.append(_table_html(contests_table(placement, ranking)))
    if placement.disagreements:
        blocks.append(f"<p>{escape(PAIRS_TITLE)}</p>")
        blocks.append(_table_html(disagreements_table(placement)))
    return "\n".join(blocks)


def _method_html(ranking: Ranking, left_out: Sequence[str], notes: Sequence[str]) -> str:
    sentences = (method_sentence(ranking), *left_out)
    return "\n".join([*(f"<p>{escape(text)}</p>" for text in sentences), *map(note_html, notes)])


def _table_html(table: Mapping[str, Sequence[Any]]) -> str:
    rows = [dict(zip(table, cells, strict=True)) for cells in zip(*table.values(), strict=True)]
    return table_html(rows, {name: name for name in table}, formats=FORMATS)
