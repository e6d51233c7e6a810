"""The target `paper_spa`: on small simulated data, and on the real data of the paper."""

from pathlib import Path

import pyarrow.parquet as pq
import pytest
import yaml

from sigcore.io.schemas import SCHEMAS

pytestmark = pytest.mark.workflow

ROOT = Path(__file__).resolve().parents[2]
SMALL = {"trials": 20, "segment_sizes": [10, 25], "sign_flips": 40, "repeats": 2}


def configure(workflow, base: str, **changes) -> str:
    """Write a configuration of the SPA paper for a test and return its path."""
    config = yaml.safe_load((ROOT / base).read_text(encoding="utf-8")) | changes
    path = workflow.folder / "paper.yaml"
    path.write_text(yaml.safe_dump(config), encoding="utf-8")
    return str(path)


def rows(path: Path) -> list[dict]:
    return pq.read_table(path).to_pylist()


def test_a_small_run_leaves_every_table_figure_and_the_page(copied):
    config = configure(
        copied, "config/smoke.yaml", paper_spa=SMALL | {"components_metric": "SimNeural-XL"}
    )
    done = copied.run("--", "paper_spa", config=config)
    assert done.returncode == 0, done.stdout + done.stderr
    folder = copied.folder / "results/smoke/paper_spa"
    for lp, sizes in (("en-de", [3, 4, 5]), ("zh-en", [3, 4])):
        pair = folder / "simulated" / lp
        for name in ("ablation_systems", "ablation_segments", "sampled_comparisons", "repeats"):
            assert pq.read_schema(pair / f"{name}.parquet").names == SCHEMAS[name].names
        systems = rows(pair / "ablation_systems.parquet")
        assert [row["n_systems"] for row in systems if row["meta"] == "spa"] == sizes
        for figure in ("figure1", "figure3", "figure4"):
            for ending in ("svg", "pdf", "png"):
                assert (pair / f"{figure}.{ending}").stat().st_size > 1000
    segments = rows(folder / "simulated/en-de/ablation_segments.parquet")
    assert sorted({row["n_segments"] for row in segments}) == [10, 25, 50]
    assert len({row["metric"] for row in segments if row["n_segments"] == 50}) == 8
    # The metrics of the configuration are not there, so the two best are.
    best = [row["metric"] for row in rows(folder.parent / "simulated/en-de/ranking.parquet")][:2]
    assert {row["metric"] for row in segments if row["n_segments"] == 10} == set(best)
    table = rows(folder / "table1.parquet")
    assert [(row["language_pair"], row["procedure"]) for row in table] == [
        (lp, procedure) for lp in ("en-de", "zh-en") for procedure in ("exact", "as published")
    ]
    page = (folder / "report.html").read_text(encoding="utf-8")
    for text in ("Table 1", "Fewer systems", "simulated en-de", "figure2.svg"):
        assert text in page
    for ending in ("csv", "tex", "md"):
        assert "en-de" in (folder / f"table1.{ending}").read_text(encoding="utf-8")
    # Whatever the page reads is an input of its job, so what is gone is made again with it.
    for gone in (
        "report.html",
        "simulated/zh-en/figure4.svg",
        "../simulated/zh-en/left_out.parquet",
    ):
        (folder / gone).unlink()
    plan = copied.run("--dry-run", "--", "results/smoke/paper_spa/report.html", config=config)
    for rule in ("draw_paper_spa", "ingest_scores"):
        assert rule in plan.stdout


def test_it_is_no_part_of_the_default_target(finished):
    assert not (finished.folder / "results/smoke/paper_spa").exists()


@pytest.mark.parametrize(
    ("part", "key", "value"),
    [
        ("selection", "segments", "pairwise"),
        ("significance", "scheme", "both"),
        ("significance", "alternative", "greater"),
    ],
)
def test_another_protocol_than_that_of_the_paper_is_refused(workflow, part, key, value):
    config = configure(workflow, "config/smoke.yaml", **{part: {key: value}})
    done = workflow.run("--dry-run", "--", "paper_spa", config=config)
    assert done.returncode != 0
    assert "paper.yaml:" in done.stdout + done.stderr
    assert f"`{part}.{key}` must be " in done.stdout + done.stderr
    assert f"got {value}." in done.stdout + done.stderr


@pytest.mark.real_data
def test_table_1_of_the_paper_comes_out(workflow, public_data):
    # The smallest of the three pairs. The others differ in nothing but their size, which costs
    # minutes; test_significance.py has their counts, and docs/paper-spa.md what came out.
    config = configure(
        workflow,
        "config/paper_spa.yaml",
        data_root=str(public_data / "mtme"),
        testsets={"wmt23": ["en-de"]},
        paper_spa={"repeats": 1},
    )
    target = "results/paper_spa/paper_spa/table1.parquet"
    done = workflow.run("--", target, config=config)
    assert done.returncode == 0, done.stdout + done.stderr
    table = {
        (row["testset"], row["language_pair"], row["procedure"]): row
        for row in rows(workflow.folder / target)
    }
    pair = ("wmt23", "en-de")
    paper = table[*pair, "paper"]
    for procedure in ("exact", "as published"):
        ours = table[*pair, procedure]
        for name in ("n_systems", "n_metrics", "distinct_pa", "distinct_spa", "distinct_max"):
            assert ours[name] == paper[name], (procedure, name)
        assert ours["significant_max"] == paper["significant_max"]
        assert ours["clusters_spa"] == paper["clusters_spa"]
        assert ours["clusters_pa"] == paper["clusters_pa"]
        assert abs(ours["significant_spa"] - paper["significant_spa"]) <= 5
    # The printed counts of PA are those of floating-point comparisons.
    assert abs(table[*pair, "as published"]["significant_pa"] - paper["significant_pa"]) <= 3
