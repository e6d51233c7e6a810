from dataclasses import replace
from html.parser import HTMLParser

import pytest

from sigcore.report import Figure, PairReport, Part, render_report

NAMES = ("Good<Metric>", "Twin", "Twin(2)", "Bad")


def ranking():
    rows = zip(NAMES, (0.9, 0.8, 0.8, 0.5), (1, 1, 1, 2), strict=True)
    return [
        {
            "metric": name,
            "spa": spa,
            "pa": spa,
            "rank": rank,
            "rank_pa": 1,
            "n_beaten": 0,
            "reference_free": name == "Bad",
            "mine": name == "Twin",
            "n_systems": 5,
            "n_segments": 40,
            "n_tied_pairs": 0,
            "method": "exact",
        }
        for name, spa, rank in rows
    ]


SVG_FILE = """<?xml version="1.0" encoding="utf-8" standalone="no"?>
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "svg11.dtd">
<svg id='figure'></svg>"""


@pytest.fixture
def pair():
    comparisons = [
        {
            "meta": "spa",
            "metric": a,
            "other": b,
            "adjusted": 0.01 if "Bad" in (a, b) else 0.5,
            "alternative": "two-sided",
            "estimator": "plus-one",
            "correction": "none",
            "n_resamples": 1000,
        }
        for a in NAMES[:2]
        for b in NAMES
        if a != b
    ]
    return PairReport(
        testset="wmt99",
        language_pair="en-de",
        gold_name="mqm",
        folder="wmt99/en-de",
        ranking=ranking(),
        comparisons=comparisons,
        alpha=0.05,
        n_systems=5,
        n_segments=40,
        left_out=[{"kind": "system", "name": "odd", "reason": "an outlier", "count": 1}],
        figures=[Figure(SVG_FILE, "A caption.", "figures/one")],
    )


def render(pair, **changes):
    options = {
        "run": "demo",
        "settings": {"seed": 0},
        "versions": {"sigcore": "1"},
        "inputs": {"file": "abc"},
    }
    return render_report([pair], **(options | changes))


def test_the_page_is_well_formed_and_fetches_nothing(pair):
    page = render(pair)
    assert "<?xml" not in page
    assert page.lower().count("<!doctype") == 1
    open_tags = []

    class Checker(HTMLParser):
        def handle_starttag(self, tag, attributes):
            assert dict(attributes).get("src") is None
            assert not dict(attributes).get("href", "#").startswith("http")
            if tag not in ("meta", "br", "link"):
                open_tags.append(tag)

        def handle_endtag(self, tag):
            assert open_tags.pop() == tag

    Checker().feed(page)
    assert open_tags == []


def test_names_are_escaped_and_everything_is_on_the_page(pair):
    page = render(pair, skipped=["wmt99 xx-yy was skipped: no data"])
    assert "Good&lt;Metric&gt;" in page
    for text in ("an outlier", "wmt99 xx-yy was skipped", "seed: 0", "abc", "<svg id='figure'>"):
        assert text in page


def test_significant_pairs_count_once_in_either_direction(pair):
    assert pair.n_significant_spa == 2
    assert pair.n_significant_pa == 0
    assert pair.n_comparisons == 6


def test_split_and_equal_metrics_are_pointed_out(pair):
    split, equal = pair.warnings
    assert "1 pair of metrics in different clusters" in split
    assert "Twin(2) and Bad" in split
    assert equal.startswith("Twin and Twin(2) have exactly the same SPA")


def test_tied_metrics_in_different_clusters_are_named(pair):
    rows = [row | {"rank_pa": 2 if row["metric"] in ("Twin(2)", "Bad") else 1} for row in ranking()]
    named = "Twin and Twin(2) have the same PA but stand in different clusters by PA."
    assert named in replace(pair, ranking=rows).warnings
    assert named not in pair.warnings


@pytest.mark.parametrize(
    ("changes", "needed"),
    [
        ({"n_resamples": 10}, "10 draws are too few: nothing can be significant"),
        ({"n_resamples": 19}, None),
        ({"n_resamples": 50, "correction": "holm"}, "after the correction 'holm' of 3 tests"),
        ({"n_resamples": 59, "correction": "holm"}, None),
        ({"n_resamples": 10, "estimator": "plain"}, None),
    ],
)
def test_too_few_draws_for_anything_to_be_significant_are_told(pair, changes, needed):
    rows = [row | changes for row in pair.comparisons]
    told = replace(pair, comparisons=rows).warnings
    assert [text for text in told if "too few" in text] == [
        text for text in told[:1] if needed and needed in text
    ]
    assert any("too few" in text for text in told) == (needed is not None)


def test_metrics_that_tell_systems_not_apart_are_pointed_out(pair):
    rows = [row | {"n_tied_pairs": 10 if row["metric"] == "Bad" else 0} for row in ranking()]
    rows[1]["n_tied_pairs"] = 3
    constant, some = replace(pair, ranking=rows).warnings[:2]
    assert constant.startswith("Bad scores all systems alike on every segment")
    assert "10 pairs" in some
    assert "Twin (3)" in some


def test_what_was_left_out_is_counted_beside_the_ranking(pair):
    rows = [
        {"kind": "system", "name": "odd", "reason": "an outlier", "count": 1},
        {"kind": "system", "name": "new", "reason": "not rated", "count": 1},
        {"kind": "segment", "name": "mqm", "reason": "not rated", "count": 7},
    ]
    assert "Left out: 2 systems, 7 segments" in render(replace(pair, left_out=rows))
    assert "Left out:" not in render(replace(pair, left_out=[]))


def test_further_parts_follow(pair):
    assert "<p>more</p>" in render(pair, parts=[Part("more", "More", "<p>more</p>")])
