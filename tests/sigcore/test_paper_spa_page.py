from sigcore.report.page import Figure
from sigcore.report.paper_spa import (
    PaperSpaReport,
    interval_summary,
    stability_summary,
    table_1_shown,
)
from sigcore.report.simple import render_page

SYSTEMS = [
    {"meta": meta, "n_systems": size, "mean": mean}
    for meta, means in (("spa", (0.5, 0.7, 0.9, 1.0)), ("pa", (None, 0.6, 0.95, 1.0)))
    for size, mean in zip((3, 4, 5, 6), means, strict=True)
]
SEGMENTS = [
    {"metric": metric, "meta": meta, "n_segments": size, "low": 0.5, "high": 0.5 + width}
    for metric, meta, size, width in (
        ("X", "spa", 50, 0.3),
        ("X", "pa", 50, 0.2),
        ("X", "spa", 100, 0.1),
        ("X", "pa", 100, 0.2),
        ("Y", "spa", 100, 0.1),
        ("Y", "pa", 100, 0.2),
    )
]
ROW = {
    "testset": "wmt22",
    "language_pair": "en-de",
    "procedure": "exact",
    "n_systems": 14,
    "n_metrics": 21,
    **{
        f"{count}_{meta}": 5
        for count in ("distinct", "significant", "clusters")
        for meta in ("pa", "spa", "max")
    },
    "significant_pa_low": 4,
    "significant_pa_high": 7,
    "clusters_pa_low": None,
    "clusters_pa_high": None,
}


def test_stability_is_summed_up_without_the_full_set_and_undefined_sizes():
    assert stability_summary({"s": SYSTEMS}) == [
        {"set": "s", "half": 4, "spa": 0.7, "pa": 0.6, "steadier": 1, "sizes": 2}
    ]


def test_intervals_are_summed_up_for_the_metrics_drawn():
    (row,) = interval_summary({"s": SEGMENTS})
    assert (row["metric"], row["n_segments"], row["narrower"], row["sizes"]) == ("X", 100, 1, 2)
    assert round(row["spa"], 9) == 0.1


def test_counts_are_shown_with_their_range():
    (row,), headers, _ = table_1_shown([ROW])
    assert row["significant_pa"] == "5 (4–7)"
    assert row["clusters_pa"] == row["significant_spa"] == "5"
    assert list(headers) == list(row)


def test_the_page_has_every_part():
    figure = Figure("<svg/>", "A caption", "figure2")
    report = PaperSpaReport(
        table=[ROW],
        stability={"wmt22 en-de": SYSTEMS},
        intervals={"wmt22 en-de": SEGMENTS},
        stability_figure=figure,
        figures={"wmt22 en-de": [figure]},
        left_out={
            "wmt22 en-de": [
                {"kind": "metric", "name": "eBLEU-refA", "reason": "3 are missing", "count": 1}
            ]
        },
        skipped=["wmt22 en-ru was skipped: no data."],
    )
    parts = report.parts(settings={"run": "t"}, versions={"numpy": "2"}, inputs={"a": "b"})
    page = render_page("title", parts)
    expected = ("wmt22 en-ru was skipped", "Table 1", "5 (4–7)", "Fewer systems", "A caption")
    for text in (*expected, "eBLEU-refA", "3 are missing"):
        assert text in page
    assert "SPA “as published” was not repeated" in page
    assert "counted over all pairs of metrics" in page
    assert [part.anchor for part in parts][3] == "wmt22-en-de"
