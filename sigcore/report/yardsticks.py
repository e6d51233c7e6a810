"""The section of the report on further human ratings and corpus-level scores."""

from collections.abc import Mapping, Sequence
from typing import Any

from sigcore.report.simple import note_html, table_html
from sigcore.wording import counted

__all__ = ["yardsticks_section"]

Row = Mapping[str, Any]

_HEADERS = {"scorer": "scorer", "kind": "kind", "spa": "SPA", "pa": "PA", "acc_eq": "acc_eq"}
_FORMATS = {"spa": ".4f", "pa": ".4f", "acc_eq": ".4f"}


def yardsticks_section(tables: Mapping[str, Sequence[Row]], absent: Sequence[str]) -> str:
    """Make the HTML of the section.

    Parameters
    ----------
    tables : mapping of str to rows
        Test set and language pair, and its table `yardsticks`.
    absent : sequence of str
        Sentences on what was asked for and is not there.
    """
    parts = [
        "<p>How well does a second group of people follow the first? Their ratings are scored as "
        "if they were a metric, and all metrics on the same translations, those that both groups "
        "rated. A metric above the people agrees with these ratings better than other people do; "
        "it may share their errors. Corpus-level scores are no means of segment scores and have no "
        "test against other metrics; their p-values between systems are shares of random swaps.</p>"
    ]
    parts += [note_html(" ".join(absent))] if absent else []
    for title, rows in tables.items():
        groups = dict.fromkeys(row["ratings"] for row in rows)
        parts += [_table(title, [row for row in rows if row["ratings"] == each]) for each in groups]
    return "\n".join(parts)


def _table(title: str, rows: Sequence[Row]) -> str:
    """Show what was scored on the same translations, best first."""
    one = rows[0]
    what = f"{title}, {'translations with ' + one['ratings'] if one['ratings'] else 'texts'}"
    size = f"{counted(one['n_systems'], 'system')}, {counted(one['n_segments'], 'segment')}"
    left = [
        counted(one[f"n_{noun}s_left_out"], noun)
        for noun in ("system", "segment")
        if one[f"n_{noun}s_left_out"]
    ]
    caption = f"{what}: {size}{'; left out: ' + ', '.join(left) if left else ''}."
    best = sorted(rows, key=lambda row: (-row["spa"], row["scorer"]))
    headers = {name: text for name, text in _HEADERS.items() if name != "acc_eq" or one["ratings"]}
    return table_html(best, headers, formats=_FORMATS, caption=caption)
