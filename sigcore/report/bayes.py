"""The page on the Bayes test, and what the report of a run shows of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import yaml

from sigcore.bayes.comparison import MARK
from sigcore.bayes.published import MISPRINTS, TASKS
from sigcore.report.bayes_columns import (
    MEASURES,
    Columns,
    bayes_columns,
    coverage_columns,
    decision_columns,
    interval_columns,
    probability_text,
)
from sigcore.report.page import Figure, Part
from sigcore.report.simple import figure_html, note_html, table_html

__all__ = ["BayesReport"]

Row = Mapping[str, Any]

_INDEPENDENCE = (
    "A and B are taken as independent although they learn from and are validated on the same "
    "folds. If they err on the same items, as is usual, the probabilities are less extreme than "
    "they should be."
)


@dataclass(frozen=True, slots=True)
class BayesReport:
    """What the page says about the Bayes test.

    Attributes
    ----------
    tests, others : sequence of rows
        The tables `bayes_tests` and `cv_tests`.
    figures : sequence of Figure
        The posteriors, a figure for each task.
    facts : mapping
        The file of the corpus, and its `sentences`, `tokens` and `chunks`; empty without one.
    balance, counts : sequence of rows
        The tables `balance` and `fold_counts` of the corpus.
    intervals, decisions, coverage : sequence of rows
        The tables `paper_intervals`, `paper_decisions` and `coverage`.
    """

    tests: Sequence[Row]
    others: Sequence[Row]
    figures: Sequence[Figure]
    facts: Mapping[str, Any]
    balance: Sequence[Row] = ()
    counts: Sequence[Row] = ()
    intervals: Sequence[Row] = ()
    decisions: Sequence[Row] = ()
    coverage: Sequence[Row] = ()

    def overview(self) -> str:
        """Return the decisions, with what a reader must know, and the figures, in HTML."""
        first = self.tests[0]
        caption = (
            f"Posterior means with {first['credibility']:.10g} credible intervals, in per cent. "
            "The range is that of P(H0) over the published range of the correlations of the folds."
        )
        return "\n".join(
            [
                f"<p>{escape(_hypotheses(first['rope']))}</p>",
                *map(note_html, [*_notes(self.tests), _INDEPENDENCE]),
                _columns_html(bayes_columns(self.tests), caption=caption),
                *map(figure_html, self.figures),
            ]
        )

    def parts(
        self, *, settings: Mapping[str, Any], versions: Mapping[str, str], inputs: Mapping[str, str]
    ) -> list[Part]:
        """Return the sections of the page.

        Parameters
        ----------
        settings : mapping
            The configuration of the test.
        versions, inputs : mapping of str to str
            Versions of the software, and the SHA-256 of each input file.
        """
        written = yaml.safe_dump(dict(settings), sort_keys=False, width=100)
        facts = [{"name": name, "value": value} for name, value in sorted(versions.items())]
        facts += [{"name": name, "value": value} for name, value in sorted(inputs.items())]
        parts = [Part("decisions", "Decisions", self.overview())]
        if self.facts:
            parts.append(Part("folds", "Corpus and folds", self._folds_html()))
        if self.intervals:
            parts.append(Part("paper", "The paper's tables", self._paper_html()))
        if self.coverage:
            parts.append(Part("coverage", "Coverage", self._coverage_html()))
        return [
            *parts,
            Part("others", "Tests it replaces", self._others_html()),
            Part("settings", "Settings", f"<pre>{escape(written)}</pre>"),
            Part("provenance", "Provenance", table_html(facts, {"name": "", "value": ""})),
        ]

    def _folds_html(self) -> str:
        boxes = "".join(
            f"<div><b>{self.facts[name]}</b><span>{name}</span></div>"
            for name in ("sentences", "tokens", "chunks")
        )
        headers = {
            "unit": "unit",
            "total": "in the corpus",
            "largest_difference": "largest difference of halves",
            "share": "share",
            "bound": "bound",
        }
        formats = {name: ".0f" for name in ("total", "largest_difference", "bound")}
        over = [row["unit"] for row in self.balance if not row["balanced"]]
        notes = [f"The halves differ by more than the bound in {', '.join(over)}."] if over else []
        chunks = {name: name for name in ("model", "gold", "predicted", "correct")}
        return "\n".join(
            [
                f'<div class="facts">{boxes}</div>',
                f"<p>The corpus <code>{escape(self.facts['file'])}</code> is cut into blocks that "
                "are alike; each repetition trains on half of them and validates on the other "
                "half, and the other way round.</p>",
                *map(note_html, notes),
                table_html(self.balance, headers, formats=formats | {"share": ".2%"}),
                "<h3>Chunks found in each fold</h3>",
                table_html(self.counts, {"rep": "repetition", "fold": "fold", **chunks}),
            ]
        )

    def _paper_html(self) -> str:
        blocks = [
            "<p>From the fold counts that the authors published. P(H0) is computed by quadrature; "
            "the paper estimates it by Monte Carlo with 1,000,000 draws, as is done here too.</p>",
            "<h3>Table 2: credible intervals</h3>",
            _columns_html(interval_columns(self.intervals)),
            note_html(_differences(self.intervals)),
        ]
        for task in TASKS.values():
            rows = [row for row in self.decisions if row["table"] == task.table]
            blocks.append(f"<h3>Table {task.table}: decisions, {task.name}, {task.title}</h3>")
            blocks.append(_columns_html(decision_columns(rows)))
        misprints = [misprint._asdict() for misprint in MISPRINTS]
        headers = {"where": "where", "printed": "printed", "used": "used here"}
        return "\n".join(
            [
                *blocks,
                "<h3>Misprints, and where results differ from print</h3>",
                table_html(misprints, headers),
            ]
        )

    def _coverage_html(self) -> str:
        first = self.coverage[0]
        return "\n".join(
            [
                f"<p>Section 2.4: {first['n_corpora']} simulated corpora of {first['n_items']} "
                "items, two Gaussian classes, logistic regression, 3 x 2 cross-validation: how "
                f"often do intervals of credibility {first['credibility']:g} hold the true F1? The "
                "paper does not state its protocol. The first two rows are that of the first "
                "author's public script; the others are further readings of the section.</p>",
                _columns_html(coverage_columns(self.coverage)),
                note_html(
                    "The paper prints the length 0.117 for the older interval; 0.127 comes out. "
                    + MISPRINTS[-1].used.partition(": ")[2].capitalize()
                    + "."
                ),
            ]
        )

    def _others_html(self) -> str:
        rows = [
            dict(row)
            | {"measure": MEASURES[row["measure"]], "pvalue": probability_text(row["pvalue"])}
            for row in self.others
        ]
        headers = {
            "task": "task",
            "measure": "measure",
            "test": "test",
            "mean_difference": "B - A",
            "statistic": "statistic",
            "degrees": "degrees of freedom",
            "pvalue": "p, two-sided",
        }
        formats = {"mean_difference": "+.4f", "statistic": ".3f"}
        return table_html(rows, headers, formats=formats)


def _notes(tests: Sequence[Row]) -> list[str]:
    """Say of each task, once, where its folds contradict the derivation and what is undefined."""
    notes: dict[str, dict[str, None]] = {row["task"]: {} for row in tests}
    for row in tests:
        found = [flag for flag in row["flags"].split(MARK) if flag]
        found += [f"{MEASURES[row['measure']]}, {why}" for why in row["reasons"].split(MARK) if why]
        notes[row["task"]] |= dict.fromkeys(found)
    return [f"{task}: {'. '.join(found)}." for task, found in notes.items() if found]


def _hypotheses(rope: float) -> str:
    if rope:
        return (
            f"H0: B - A < -{rope:g}; rope: no more than {rope:g} apart; H1: B - A > {rope:g}. The "
            "decision is the most probable of the three."
        )
    return "H0: B - A <= 0; H1: B - A > 0. H0 is accepted where it is at least as probable as H1."


def _differences(intervals: Sequence[Row]) -> str:
    gaps = [
        abs(round(100 * row[end], 2) - 100 * row[f"printed_{end}"])
        for row in intervals
        for end in ("lower", "upper")
    ]
    same = sum(gap < 0.005 for gap in gaps)
    return (
        f"{same} of the {len(gaps)} ends of intervals are as printed; the largest difference is "
        f"{max(gaps):.2f}."
    )


def _columns_html(columns: Columns, *, caption: str = "") -> str:
    rows = [dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True)]
    return table_html(rows, {name: name for name in columns}, caption=caption)
