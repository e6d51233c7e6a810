"""The page on parsers and taggers, and what the report of a run shows of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import yaml

from sigcore.parsing.ranking import measure_title
from sigcore.report.page import Figure, Part
from sigcore.report.simple import figure_html, note_html, table_html

__all__ = ["ParsingReport", "pair_table", "parser_table"]

Row = Mapping[str, Any]
Table = tuple[list[dict[str, Any]], dict[str, str], dict[str, str]]

_RATES = ("f1", "recall", "precision", "complete_match", "las", "uas", "xpos", "upos")
_SMALLEST = 1e-300
_REMARKS_SHOWN = 200
_CORRECTIONS = {
    "holm": "corrected for the number of pairs by Holm's procedure, each measure by itself",
    "bonferroni": "corrected for the number of pairs by Bonferroni's, each measure by itself",
    "bh": "corrected for the number of pairs by Benjamini and Hochberg's, each measure by itself",
    "none": "not corrected for the number of pairs",
}
_NOT_SCORED = {
    "drop": "A pair is compared on the sentences that have a score for both.",
    "fail": "In a comparison a parser without a score has found none of the brackets.",
    "keep": "In a comparison such a sentence counts for the other parser only.",
}


@dataclass(frozen=True, slots=True)
class ParsingReport:
    """What the page says about a comparison of parsers.

    Attributes
    ----------
    parsers, pairs, remarks : sequence of rows
        The tables `parsers`, `parser_pairs` and `parser_remarks`.
    settings : mapping
        The key `parsing` of the configuration, and the seed.
    figure : Figure
        Ranking and significance.
    """

    parsers: Sequence[Row]
    pairs: Sequence[Row]
    remarks: Sequence[Row]
    settings: Mapping[str, Any]
    figure: Figure

    def overview(self) -> str:
        """Return the ranking, with what a reader must know, in HTML."""
        rows, headers, formats = parser_table(self.parsers)
        caption = (
            f"Parsers by {measure_title(self.measure)}, rates in per cent, over the sentences with "
            "a score. “Beats” counts the parsers that are significantly worse."
        )
        return "\n".join(
            [
                f"<p>{escape(self.method)}</p>",
                *map(note_html, self.warnings),
                table_html(rows, headers, formats=formats, caption=caption),
                figure_html(self.figure),
            ]
        )

    def parts(self, *, versions: Mapping[str, str], inputs: Mapping[str, str]) -> list[Part]:
        """Return the sections of the page.

        Parameters
        ----------
        versions, inputs : mapping of str to str
            Versions of the software, and the SHA-256 of each input file.
        """
        settings = yaml.safe_dump(dict(self.settings), sort_keys=False, width=100)
        facts = [{"name": name, "value": value} for name, value in sorted(versions.items())]
        facts += [{"name": name, "value": value} for name, value in sorted(inputs.items())]
        return [
            Part("parsers", "Ranking", self.overview()),
            Part("pairs", "Every pair", self._pairs_html()),
            Part("remarks", "Remarks on the files", self._remarks_html()),
            Part("settings", "Settings", f"<pre>{escape(settings)}</pre>"),
            Part("provenance", "Provenance", table_html(facts, {"name": "", "value": ""})),
        ]

    @property
    def measure(self) -> str:
        """The measure that ranks."""
        return str(self.pairs[0]["measure"])

    @property
    def method(self) -> str:
        """How the p-values were found, in a sentence."""
        first = self.pairs[0]
        way = "exact, over all swaps of sentences between two parsers"
        if first["method"] == "shuffle":
            way = f"estimated from {self.settings['n_shuffles']} shuffles of sentences"
        side = "two-sided" if first["alternative"] == "two-sided" else "on the observed side"
        n_pairs = len(self._of_measure(self.measure))
        return (
            f"{len(self.parsers)} parsers, compared in {n_pairs} pairs. p-values are {way}, "
            f"{side}, and {_CORRECTIONS[first['correction']]}. "
            "The test takes sentences to be independent."
        )

    @property
    def warnings(self) -> list[str]:
        """Sentences about what a reader of the ranking must know."""
        sentences = []
        if any(row["n_error"] or row["n_skipped"] for row in self.parsers):
            rule = _NOT_SCORED[self.settings["not_scored"]]
            sentences.append(f"Some sentences have no score for some parser. {rule}")
        if self.pairs[0]["alternative"] == "observed" and self.pairs[0]["correction"] != "none":
            sentences.append(
                "p-values count the side that the data chose. They are half as large as two-sided "
                "ones, and their correction does not hold its level."
            )
        split = self._split_pairs()
        if split:
            sentences.append(
                "Clusters are drawn greedily. In different clusters, though not significantly "
                f"different: {_enumerate(split)}."
            )
        return sentences

    def _of_measure(self, measure: str) -> list[Row]:
        return [row for row in self.pairs if row["measure"] == measure]

    def _split_pairs(self) -> list[str]:
        ranks = {row["parser"]: row["rank"] for row in self.parsers}
        return [
            f"{row['name_a']} and {row['name_b']}"
            for row in self._of_measure(self.measure)
            if ranks[row["name_a"]] != ranks[row["name_b"]]
            and row["adjusted"] > self.settings["alpha"]
        ]

    def _pairs_html(self) -> str:
        blocks = []
        for measure in dict.fromkeys(row["measure"] for row in self.pairs):
            rows, headers, formats = pair_table(self._of_measure(measure))
            del headers["measure"]
            is_open = " open" if measure == self.measure else ""
            table = table_html(rows, headers, formats=formats)
            summary = f"<summary>By {escape(measure_title(measure))}</summary>"
            blocks.append(f"<details{is_open}>{summary}\n{table}</details>")
        return "\n".join(blocks)

    def _remarks_html(self) -> str:
        if not self.remarks:
            return "<p>None: every sentence of every file has a score, nothing was passed over.</p>"
        shown = self.remarks[:_REMARKS_SHOWN]
        more = len(self.remarks) - len(shown)
        note = [f"{more} further ones are in remarks.parquet."] if more else []
        headers = {"parser": "parser", "line": "line", "text": "remark"}
        return "\n".join([*map(note_html, note), table_html(shown, headers)])


def parser_table(parsers: Sequence[Row]) -> Table:
    """Choose and scale what people read of the table `parsers`.

    Parameters
    ----------
    parsers : sequence of rows
        The table `parsers`.

    Returns
    -------
    rows : list of dict
        Rates in per cent; columns that are empty throughout are left out.
    headers, formats : dict of str to str
        Heads of the columns, in order, and how to print their numbers.
    """
    rates = [name for name in _RATES if parsers[0][name] is not None]
    headers = {"rank": "cluster", "parser": "parser"}
    headers |= {name: measure_title(name) for name in rates}
    if parsers[0]["crossing"] is not None:
        headers["crossing"] = "crossing"
    headers |= {"n_beaten": "beats", "n_valid": "sentences"}
    unused = {"n_too_long": "too long", "n_error": "error", "n_skipped": "skipped"}
    headers |= {name: text for name, text in unused.items() if any(row[name] for row in parsers)}
    rows = [
        {name: 100 * row[name] if name in rates else row[name] for name in headers}
        for row in parsers
    ]
    return rows, headers, dict.fromkeys((*rates, "crossing"), ".2f")


def pair_table(pairs: Sequence[Row]) -> Table:
    """Choose and scale what people read of the table `parser_pairs`; see `parser_table`."""
    headers = {
        "measure": "measure",
        "name_a": "A",
        "name_b": "B",
        "value_a": "value A",
        "value_b": "value B",
        "difference": "A - B",
        "n_sentences": "sentences",
        "pvalue": "p",
    }
    # Without a correction the column would repeat p.
    if pairs[0]["correction"] != "none":
        headers["adjusted"] = f"p ({pairs[0]['correction']})"
    rows = []
    for pair in pairs:
        scale = 1 if pair["measure"] == "crossing" else 100
        shown = dict(pair) | {"measure": measure_title(pair["measure"])}
        shown |= {name: scale * pair[name] for name in ("value_a", "value_b", "difference")}
        shown |= {name: _pvalue(pair[name]) for name in ("pvalue", "adjusted")}
        rows.append({name: shown[name] for name in headers})
    return rows, headers, {"value_a": ".2f", "value_b": ".2f", "difference": "+.2f"}


def _enumerate(texts: Sequence[str], *, most: int = 5) -> str:
    more = [f"{len(texts) - most} more"] if len(texts) > most else []
    return "; ".join([*texts[:most], *more])


def _pvalue(value: float) -> str:
    # An exact p-value may be too small for a float; the table has its logarithm.
    return f"{value:.3g}" if value >= _SMALLEST else f"< {_SMALLEST:g}"
