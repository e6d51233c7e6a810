"""The audit: silent where all is well, and every fault of every file in one run."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from sigcore.audit import Audit, Finding, audit_testset
from sigcore.errors import InputError

SYSTEMS = ("A", "B", "C", "refA")
N_SEGMENTS = 40
FACTS = """\
testset: tiny
defaults: {reference: refA, gold: mqm, human_systems: true}
language_pairs: {en-de: {}}
"""


@pytest.fixture
def gold() -> dict[str, np.ndarray]:
    """Human scores of four systems in tenths, A the best."""
    rng = np.random.default_rng(5)
    levels = dict(zip(SYSTEMS, (2.0, 4.0, 6.0, 1.0), strict=True))
    return {name: -rng.integers(0, 10, N_SEGMENTS) * 0.1 * levels[name] for name in SYSTEMS}


@pytest.fixture
def root(tmp_path: Path, gold: dict[str, np.ndarray]) -> Path:
    """A test set without a fault, with two metrics."""
    write(tmp_path, "sigcore.yaml", FACTS)
    write(tmp_path, "human-scores/en-de.mqm.seg.score", gold)
    write(tmp_path, "documents/en-de.docs", "news\td1\n" * N_SEGMENTS)
    rng = np.random.default_rng(6)
    for metric in ("Good-refA", "Fine-src"):
        scores = {name: row + rng.normal(size=N_SEGMENTS) for name, row in gold.items()}
        if metric.endswith("refA"):
            del scores["refA"]
        write_metric(tmp_path, metric, scores)
    return tmp_path


def write(root: Path, name: str, content: str | dict[str, np.ndarray]) -> None:
    path = root / "tiny" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if not isinstance(content, str):
        lines = [(s, "None" if v != v else v) for s, row in content.items() for v in row.tolist()]
        content = "".join(f"{system}\t{value}\n" for system, value in lines)
    path.write_text(content)


def write_metric(root: Path, metric: str, scores: str | dict[str, np.ndarray]) -> None:
    write(root, f"metric-scores/en-de/{metric}.seg.score", scores)


def audit(root: Path) -> Audit:
    return audit_testset(root, "tiny", "en-de")


def the_one(root: Path, kind: str) -> Finding:
    """Return the only finding of a kind."""
    found = [finding for finding in audit(root).findings if finding.kind == kind]
    assert len(found) == 1, audit(root).findings
    return found[0]


# --- facts ------------------------------------------------------------------------------------


def test_nothing_is_found_where_all_is_well(root: Path) -> None:
    result = audit(root)
    assert result.findings == ()
    assert (result.n_systems, result.n_segments, result.n_metrics) == (3, N_SEGMENTS, 2)
    assert result.gold_name == "mqm"
    assert [fact.name for fact in result.metrics] == ["Fine-src", "Good-refA"]
    assert [fact.n_systems for fact in result.metrics] == [4, 3]
    assert all(fact.missing_systems == () for fact in result.metrics)


def test_facts_agree_with_counting_by_hand(root: Path) -> None:
    write(
        root,
        "human-scores/en-de.mqm.seg.score",
        {
            "A": np.array([0.0, -0.1, -0.30000000000000004, np.nan]),
            "B": np.array([0.0, -0.2, -0.3, -1.0]),
            "C": np.array([-5.0, -0.2, -0.1, -1.0]),
        },
    )
    write(root, "documents/en-de.docs", "news\td1\n" * 4)
    for name in ("Fine-src", "Good-refA"):
        (root / "tiny" / "metric-scores" / "en-de" / f"{name}.seg.score").unlink()
    write_metric(
        root,
        "M-src",
        {
            "A": np.array([1.0, 5.0, 3.0, 9.0]),
            "B": np.array([1.0, 2.0, 3.0, 0.5]),
            "C": np.array([0.0, 2.0, 3.5, 0.5]),
        },
    )
    result = audit(root)
    assert result.n_segments == 3
    assert result.gold is not None
    # Ties among A, B, C: segment 1 A=B, segment 2 B=C, segment 3 A=B (0.30000000000000004 = 0.3).
    assert result.gold.tie_rate == pytest.approx(3 / 9)
    assert result.gold.grid_step == pytest.approx(0.1)
    assert result.gold.n_missing == 1
    (metric,) = result.metrics
    assert metric.grid_step == 0.5
    assert metric.tie_rate == pytest.approx(3 / 9)
    # By numpy, on the three segments with gold for all.
    human = np.array([[0.0, -0.1, -0.3], [0.0, -0.2, -0.3], [-5.0, -0.2, -0.1]])
    scores = np.array([[1.0, 5.0, 3.0], [1.0, 2.0, 3.0], [0.0, 2.0, 3.5]])
    between = np.corrcoef(human.mean(axis=1), scores.mean(axis=1))[0, 1]
    centred = [(m - m.mean(axis=0)).ravel() for m in (human, scores)]
    assert metric.system_correlation == pytest.approx(between)
    assert metric.segment_correlation == pytest.approx(np.corrcoef(*centred)[0, 1])


def test_record_has_plain_values_only(root: Path) -> None:
    record = audit(root).to_record()
    assert record["gold"]["grid_step"] == pytest.approx(0.1)
    assert isinstance(record["metrics"][0]["tie_rate"], float)


# --- one fault at a time ----------------------------------------------------------------------


def test_duplicate_metric(root: Path, gold: dict[str, np.ndarray]) -> None:
    # The same scores in another order of systems are still the same scores.
    text = (root / "tiny/metric-scores/en-de/Good-refA.seg.score").read_text()
    lines = text.splitlines(keepends=True)
    write_metric(root, "Twin-refA", "".join(lines[80:] + lines[40:80] + lines[:40]))
    finding = the_one(root, "duplicate-metric")
    assert (finding.severity, finding.subject) == ("warning", "Twin-refA")
    assert "Good-refA" in finding.message
    assert finding.file == "tiny/metric-scores/en-de/Twin-refA.seg.score"


def test_constant_metric_is_not_also_called_a_duplicate(root: Path) -> None:
    for name in ("One-refA", "Two-refA"):
        write_metric(root, name, {system: np.full(N_SEGMENTS, 0.5) for system in "ABC"})
    kinds = [finding.kind for finding in audit(root).findings]
    assert kinds == ["constant-metric", "constant-metric"]
    assert [fact.constant for fact in audit(root).metrics] == [False, False, True, True]


def test_zero_padded_system(root: Path, gold: dict[str, np.ndarray]) -> None:
    scores = {system: gold[system] - 1.0 for system in "ABC"} | {"B": np.zeros(N_SEGMENTS)}
    write_metric(root, "Padded-refA", scores)
    finding = the_one(root, "zero-padded-systems")
    assert finding.severity == "warning"
    assert "B are 0" in finding.message


def test_reversed_metric(root: Path, gold: dict[str, np.ndarray]) -> None:
    write_metric(root, "Errors-refA", {system: -gold[system] for system in "ABC"})
    finding = the_one(root, "reversed-metric")
    assert (finding.severity, finding.subject) == ("warning", "Errors-refA")
    assert "-1.00 between systems, -1.00 within segments" in finding.message


def test_random_metrics_are_rarely_called_reversed(root: Path) -> None:
    rng = np.random.default_rng(0)
    for number in range(60):
        scores = {system: rng.normal(size=N_SEGMENTS) for system in "ABC"}
        write_metric(root, f"Random{number}-refA", scores)
    assert sum(finding.kind == "reversed-metric" for finding in audit(root).findings) <= 2


def test_missing_system_is_an_error_unless_it_is_the_reference(
    root: Path, gold: dict[str, np.ndarray]
) -> None:
    write_metric(root, "Short-refA", {"A": gold["A"] + 0.01, "C": gold["C"]})
    finding = the_one(root, "missing-systems")
    assert finding.severity == "error"
    assert finding.message == "There are no scores of B."


def test_metric_of_another_reference_may_lack_systems(
    root: Path, gold: dict[str, np.ndarray]
) -> None:
    write_metric(root, "Other-refB", {"A": gold["A"] + 0.01, "C": gold["C"]})
    assert the_one(root, "missing-systems").severity == "info"


def test_a_system_of_gaps_only_is_missing(root: Path, gold: dict[str, np.ndarray]) -> None:
    scores = {system: gold[system] + 0.3 for system in "ABC"}
    scores["B"][:] = np.nan
    write_metric(root, "Refusing-refA", scores)
    finding = the_one(root, "missing-scores")
    assert (finding.severity, finding.line) == ("error", N_SEGMENTS + 1)
    assert finding.message == "40 scores are missing where there is gold; here is the first, of B."


def test_missing_scores_are_an_error_where_there_is_gold(
    root: Path, gold: dict[str, np.ndarray]
) -> None:
    scores = {system: gold[system] + 0.3 for system in "ABC"}
    scores["A"][[0, 7]] = np.nan
    write_metric(root, "Refusing-refA", scores)
    finding = the_one(root, "missing-scores")
    assert finding.severity == "error"
    assert finding.message == "2 scores are missing where there is gold; here is the first, of A."
    assert (finding.file, finding.line) == ("tiny/metric-scores/en-de/Refusing-refA.seg.score", 1)
    unrated = {
        system: np.where(np.isin(np.arange(40), [0, 7]), np.nan, gold[system]) for system in gold
    }
    write(root, "human-scores/en-de.mqm.seg.score", unrated)
    assert the_one(root, "missing-scores").severity == "info"
    assert the_one(root, "segments-without-gold").message == "2 of 40 segments have no gold."


def test_uneven_gold(root: Path, gold: dict[str, np.ndarray]) -> None:
    gold["B"][:3] = np.nan
    write(root, "human-scores/en-de.mqm.seg.score", gold)
    finding = the_one(root, "uneven-gold")
    assert finding.severity == "warning"
    assert finding.message.startswith("3 segments have gold for some of the systems only")
    assert "37 to 40 rated segments" in finding.message
    assert audit(root).n_segments == 37


def test_system_without_gold_and_system_unknown_to_it(
    root: Path, gold: dict[str, np.ndarray]
) -> None:
    write(root, "human-scores/en-de.mqm.seg.score", gold | {"D": np.full(N_SEGMENTS, np.nan)})
    assert the_one(root, "unrated-systems").message == "Systems without any gold: D."
    scores = {name: gold["A"] + shift for name, shift in (("A", 1.0), ("B", 0.1), ("b", 0.2))}
    write_metric(root, "Typo-refA", scores | {"C": gold["C"]})
    finding = the_one(root, "unknown-system")
    assert (finding.severity, finding.subject) == ("error", "b")
    assert "Only Typo-refA has a system b;" in finding.message


def test_a_system_that_the_gold_does_not_name_is_an_error(
    root: Path, gold: dict[str, np.ndarray]
) -> None:
    """As for an evaluation, unless it is an outlier or a reference."""
    write(root, "human-scores/en-de.mqm.seg.score", {s: gold[s] for s in ("A", "B")})
    finding = the_one(root, "unknown-system")
    assert (finding.severity, finding.subject) == ("error", "C")
    assert finding.file == "tiny/human-scores/en-de.mqm.seg.score"
    write(root, "sigcore.yaml", FACTS.replace("gold: mqm", "gold: mqm, outliers: [C]"))
    assert the_one(root, "unknown-system").severity == "info"


@pytest.mark.parametrize("constant", [True, False], ids=["everywhere", "within segments"])
def test_gold_that_tells_no_systems_apart(
    root: Path, gold: dict[str, np.ndarray], constant: bool
) -> None:
    row = np.ones(N_SEGMENTS) if constant else gold["A"]
    write(root, "human-scores/en-de.mqm.seg.score", dict.fromkeys(SYSTEMS, row))
    assert the_one(root, "constant-gold").severity == "error"


def test_duplicate_system_in_the_gold_and_in_all_metrics(
    root: Path, gold: dict[str, np.ndarray]
) -> None:
    gold["B"] = gold["A"].copy()
    write(root, "human-scores/en-de.mqm.seg.score", gold)
    assert the_one(root, "duplicate-system").message.startswith("A and B have the same gold")
    for name in ("Fine-src", "Good-refA"):
        write_metric(root, name, {s: gold[s] * 2 + len(name) for s in "ABC"})
    messages = [f.message for f in audit(root).findings if f.kind == "duplicate-system"]
    assert len(messages) == 2
    assert messages[1] == "A and B have the same scores in every metric."


def test_names_that_differ_in_case_only(root: Path, gold: dict[str, np.ndarray]) -> None:
    write_metric(root, "GOOD-refA", {system: gold[system] + 0.7 for system in "ABC"})
    assert the_one(root, "name-collision").subject == "Good-refA"


def test_systems_that_differ_in_case_only(root: Path, gold: dict[str, np.ndarray]) -> None:
    rated = gold | {"b": gold["B"] + 0.1}
    write(root, "human-scores/en-de.mqm.seg.score", rated)
    for name in ("Good-refA", "Fine-src"):
        write_metric(root, name, {system: row + 0.3 for system, row in rated.items()})
    finding = the_one(root, "name-collision")
    assert finding.message == "The name b differs from B only in case."


def test_other_files_are_mentioned(root: Path) -> None:
    write(root, "metric-scores/en-de/Mine-refA.seg.scores", "A\t1\n")
    write(root, "metric-scores/en-de/Fine-src.sys.score", "A\t1\n")
    finding = the_one(root, "other-file")
    assert finding.file == "tiny/metric-scores/en-de/Mine-refA.seg.scores"


def test_fewer_than_two_systems(root: Path, gold: dict[str, np.ndarray]) -> None:
    write(root, "human-scores/en-de.mqm.seg.score", {"A": gold["A"], "refA": gold["refA"]})
    assert the_one(root, "too-few-systems").severity == "error"


def test_no_segment_rated_for_all(root: Path, gold: dict[str, np.ndarray]) -> None:
    even = np.arange(N_SEGMENTS) % 2 == 0
    gold["A"][even], gold["B"][~even] = np.nan, np.nan
    write(root, "human-scores/en-de.mqm.seg.score", gold)
    assert the_one(root, "no-complete-segment").severity == "error"


# --- files that cannot be read ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("damage", "message", "line"),
    [
        (lambda text: text.replace("B\t", "B ", 1), "expected 2 columns", 41),
        (lambda text: text + "C\tgood\n", "expected a finite number", 121),
        (lambda text: text.rsplit("\n", 2)[0] + "\n", "found 39 of 'C'", 119),
        (lambda text: "", "is empty", 1),
        (lambda text: text.replace("\n", "\r\n"), "carriage return", 1),
        (lambda text: text + "C\tnan\n", "expected a finite number", 121),
    ],
)
def test_unreadable_file_is_a_finding_with_its_line(
    root: Path, damage: Callable[[str], str], message: str, line: int
) -> None:
    path = root / "tiny" / "metric-scores" / "en-de" / "Good-refA.seg.score"
    path.write_bytes(damage(path.read_text()).encode())
    finding = the_one(root, "unreadable-file")
    assert finding.severity == "error"
    assert message in finding.message
    assert str(root) not in finding.message
    assert (finding.file, finding.line) == ("tiny/metric-scores/en-de/Good-refA.seg.score", line)
    assert [fact.name for fact in audit(root).metrics] == ["Fine-src"]
    assert audit(root).n_metrics == 2


def test_one_run_lists_the_faults_of_all_files(root: Path, gold: dict[str, np.ndarray]) -> None:
    write(root, "documents/en-de.docs", "news\n")
    write_metric(root, "Bad1-refA", "A\tx\n")
    write_metric(root, "Bad2-refA", "")
    write_metric(root, "nodash", "A\t1\n")
    write_metric(root, "Short-refA", {system: gold[system][:-1] for system in "ABC"})
    write_metric(root, "Errors-refA", {system: -gold[system] for system in "ABC"})
    result = audit(root)
    assert [finding.kind for finding in result.findings] == [
        *["unreadable-file"] * 4,
        "wrong-count",
        "reversed-metric",
    ]
    assert (result.count("error"), result.count("warning"), result.count("info")) == (5, 1, 0)
    wrong = result.findings[4]
    assert wrong.message == "There are 39 segments; 4 of 5 files have 40."


def test_gold_with_another_length_than_all_metrics_is_the_one_at_fault(
    root: Path, gold: dict[str, np.ndarray]
) -> None:
    write(root, "human-scores/en-de.mqm.seg.score", {s: row[:-2] for s, row in gold.items()})
    finding = the_one(root, "wrong-count")
    assert finding.file == "tiny/human-scores/en-de.mqm.seg.score"
    result = audit(root)
    assert result.gold is None
    assert len(result.metrics) == 2
    assert np.isnan(result.metrics[0].system_correlation)


def test_missing_gold_file_names_what_is_there(root: Path, gold: dict[str, np.ndarray]) -> None:
    (root / "tiny" / "human-scores" / "en-de.mqm.seg.score").rename(
        root / "tiny" / "human-scores" / "en-de.esa.seg.score"
    )
    finding = the_one(root, "no-gold")
    assert finding.severity == "error"
    assert "human scores here: esa" in finding.message


def test_no_metric_file(root: Path) -> None:
    for path in (root / "tiny" / "metric-scores" / "en-de").iterdir():
        path.unlink()
    assert the_one(root, "no-metrics").severity == "error"


def test_set_without_facts_is_an_error_but_is_audited(root: Path) -> None:
    (root / "tiny" / "sigcore.yaml").unlink()
    finding = the_one(root, "no-facts")
    assert finding.severity == "error"
    assert "gold mqm" in finding.message
    assert len(audit(root).metrics) == 2


def test_pair_whose_facts_name_no_gold(root: Path) -> None:
    write(root, "sigcore.yaml", FACTS.replace("gold: mqm", "gold: null"))
    assert the_one(root, "no-gold").severity == "info"
    assert audit(root).count("error") == 0


def test_unknown_language_pair_is_refused(root: Path) -> None:
    with pytest.raises(InputError, match="`language_pair` must be one of en-de"):
        audit_testset(root, "tiny", "de-en")


# --- real data --------------------------------------------------------------------------------


@pytest.mark.real_data
def test_real_data_show_the_known_duplicate_and_grid() -> None:
    """Thompson et al. (2024): InstructScore and SEScoreX are identical on wmt23 en-de."""
    data = Path(__file__).parents[2].parent / "shared" / "data" / "mtme"
    if not data.is_dir():
        pytest.skip(f"no real data in {data}")
    result = audit_testset(data, "wmt23", "en-de")
    assert (result.n_systems, result.n_segments, result.n_metrics) == (12, 460, 43)
    assert result.count("error") == 0
    assert result.gold is not None
    assert result.gold.grid_step == pytest.approx(0.1)
    duplicates = {f.name: f.duplicate_of for f in result.metrics if f.duplicate_of is not None}
    assert duplicates == {"sescoreX-refA": "instructscore-refA"}
    steps = {fact.name: fact.grid_step for fact in result.metrics}
    assert steps["GEMBA-MQM-src"] == 1.0
    assert steps["COMET-refA"] is None
