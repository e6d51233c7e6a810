"""Scores of whole systems: means over the test set, published files, and tasks that use them."""

from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest

from sigcore.errors import DataFileError, InputError
from sigcore.evalset import EvalSet, SystemScores, mean_system_scores, select
from sigcore.io.mtme import read_evalset
from sigcore.io.system_scores import (
    list_system_files,
    read_system_scores,
    read_system_scores_table,
    write_system_scores,
)
from sigcore.meta.tasks import TaskOptions, run_tasks, scheme_names
from sigcore.tasksets import Task
from sigcore.testsets import load_testset

FACTS = "testset: tiny\nlanguage_pairs: {en-de: {reference: refA, gold: mqm}}\n"
GOLD = {"mt1": "1 2 None 6", "mt2": "4 5 None 0", "mt3": "7 9 None 5", "mt4": "None None None 1"}
BLEU = {"mt1": "1 2 3 4", "mt2": "4 5 6 1", "mt3": "7 8 9 None", "mt4": "2 2 2 2"}
CHRF = {"mt1": "2 1 1 1", "mt2": "3 2 2 2", "mt3": "1 4 3 3", "mt4": "2 2 2 2"}
DOMAINS = ("news", "news", "news", "chat")


def lines(scores: dict[str, str]) -> str:
    rows = [f"{name}\t{score}" for name, values in scores.items() for score in values.split()]
    return "\n".join(rows) + "\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name, scores in (
        ("human-scores/en-de.mqm", GOLD),
        ("metric-scores/en-de/BLEU-refA", BLEU),
        ("metric-scores/en-de/chrF-refA", CHRF),
    ):
        path = tmp_path / f"tiny/{name}.seg.score"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(lines(scores))
    (tmp_path / "tiny/sigcore.yaml").write_text(FACTS)
    return tmp_path


def published(root: Path, name: str, text: str) -> None:
    (root / f"tiny/metric-scores/en-de/{name}").write_text(text)


def selection(root: Path) -> EvalSet:
    """Take three systems; their fourth segment is left out, as one metric lacks it."""
    everything = read_evalset(root, "tiny", "en-de")
    gold = everything.gold.copy()
    gold[:, 3] = np.nan
    part = EvalSet(
        **{name: getattr(everything, name) for name in EvalSet.__slots__} | {"gold": gold}
    )
    return select(part)[0]


def collect(root: Path, *domains: str | None) -> tuple[SystemScores, ...]:
    facts = load_testset("tiny", root=root).facts("en-de")
    return read_system_scores(
        root,
        selection(root),
        facts=facts,
        domains=domains or (None,),
        domain_of_segment=DOMAINS,
    )


def test_people_are_averaged_over_what_they_rated_and_metrics_over_everything(root: Path) -> None:
    (found,) = collect(root)
    assert found.systems == ("mt1", "mt2", "mt3")
    assert found.metric_names == ("BLEU", "chrF")
    np.testing.assert_allclose(found.gold, [3.0, 3.0, 7.0])
    np.testing.assert_allclose(found.scores, [[2.5, 4.0, 8.0], [1.25, 2.25, 2.75]])
    np.testing.assert_array_equal(found.n_rated, [3, 3, 3])
    np.testing.assert_array_equal(found.n_segments, [[4, 4, 3], [4, 4, 4]])
    assert found.n_published == 0


def test_sums_that_are_equal_on_paper_give_equal_means() -> None:
    gold = np.array([[0.1, 0.2, 0.0], [0.3, 0.0, 0.0], [0.6, 0.1, 0.1]])
    assert gold[0].sum() != gold[1].sum()
    evalset = EvalSet(
        testset="t",
        language_pair="a-b",
        gold_name="mqm",
        systems=("x", "y", "z"),
        human_systems=(),
        segments=np.arange(3),
        documents=None,
        gold=gold,
        metrics=(),
        scores=np.empty((0, 3, 3)),
    )
    found = mean_system_scores(evalset, evalset).gold
    assert found[0] == found[1] == pytest.approx(0.1)


def test_domains_are_averaged_by_themselves(root: Path) -> None:
    news, chat = collect(root, "news", "chat")
    np.testing.assert_allclose(news.gold, [1.5, 4.5, 8.0])
    np.testing.assert_allclose(news.scores[0], [2.0, 5.0, 8.0])
    np.testing.assert_allclose(chat.gold, [6.0, 0.0, 5.0])
    assert np.isnan(chat.scores[0, 2])
    with pytest.raises(InputError, match="BLEU has no score of system 'mt3' on chat"):
        chat.rated()
    with pytest.raises(InputError, match="no segment of tiny en-de is of the domain 'law'"):
        collect(root, "law")


def test_published_scores_take_the_place_of_means(root: Path) -> None:
    published(root, "BLEU-refA.sys.score", "mt3\t40\nmt1\t30.5\nmt2\t20\nother\t1\n")
    published(
        root,
        "BLEU-refA.domain.score",
        "news\tmt1\t3\nnews\tmt2\t2\nnews\tmt3\t1\nchat\tmt1\tNone\n",
    )
    (root / "tiny/human-scores/en-de.mqm.sys.score").write_text("mt1 5\nmt2 6\nmt3 7\nmt4 None\n")
    whole, news = collect(root, None, "news")
    np.testing.assert_array_equal(whole.gold, [5.0, 6.0, 7.0])
    np.testing.assert_array_equal(whole.scores[0], [30.5, 20.0, 40.0])
    np.testing.assert_allclose(whole.scores[1], [1.25, 2.25, 2.75])
    np.testing.assert_array_equal(news.scores[0], [3.0, 2.0, 1.0])
    assert whole.n_published == news.n_published == 1
    files = list_system_files((root / "tiny/metric-scores/en-de").glob("*.seg.score"))
    assert sorted(path.name for path in files) == ["BLEU-refA.domain.score", "BLEU-refA.sys.score"]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("BLEU-refA.sys.score", "mt1\t1\nmt2\t2\n", "expected a score of system 'mt3'"),
        ("BLEU-refA.sys.score", "mt1\t1\nmt2\tx\n", "BLEU-refA.sys.score:2: expected a finite"),
        ("BLEU-refA.sys.score", "mt1\t1\nmt1\t2\n", "expected 1 scores of each system"),
        (
            "BLEU-refA.domain.score",
            "news\tmt1\n",
            "BLEU-refA.domain.score:1: expected 'domain<TAB>",
        ),
        ("BLEU-refA.domain.score", "news\tmt1\tnan\n", ":1: expected a finite number or 'None'"),
        ("BLEU-refA.domain.score", "news\tmt1\t1\nnews\tmt1\t1\n", ":2: has 'mt1' on news twice"),
        ("BLEU-refA.domain.score", "chat\tmt1\t1\n", "expected a score of system 'mt1' on news"),
    ],
)
def test_wrong_files_are_refused(root: Path, name: str, text: str, message: str) -> None:
    published(root, name, text)
    with pytest.raises(DataFileError, match=message):
        collect(root, None, "news")


def test_the_table_comes_back_as_it_was(root: Path, tmp_path: Path) -> None:
    published(root, "BLEU-refA.sys.score", "mt3\t40\nmt1\t30.5\nmt2\t20\n")
    old = collect(root, None, "chat")
    write_system_scores(tmp_path / "s.parquet", old)
    new = read_system_scores_table(tmp_path / "s.parquet")
    assert list(new) == [None, "chat"]
    for one in old:
        other = new[one.domain]
        assert (one.systems, one.metric_names) == (other.systems, other.metric_names)
        for name in ("gold", "scores", "n_rated", "n_segments"):
            np.testing.assert_array_equal(getattr(one, name), getattr(other, name))


def random_scores(n_systems: int) -> SystemScores:
    rng = np.random.default_rng(3)
    gold = rng.normal(size=n_systems)
    scores = gold + rng.normal(size=(2, n_systems)) * np.array([[0.4], [1.5]])
    return SystemScores(
        domain=None,
        systems=tuple("abcdefgh"[:n_systems]),
        metric_names=("x", "y"),
        gold=gold,
        scores=scores,
        n_rated=np.ones(n_systems, dtype=int),
        n_segments=np.zeros((2, n_systems), dtype=int),
    )


def test_tasks_compare_official_scores_by_swapping_systems(root: Path) -> None:
    found = random_scores(6)
    metrics = read_evalset(root, "tiny", "en-de").metrics
    evalset = EvalSet(
        testset="t",
        language_pair="a-b",
        gold_name="mqm",
        systems=found.systems,
        human_systems=("a",),
        segments=np.arange(2),
        documents=None,
        gold=np.tile(found.gold[:, None], 2),
        metrics=tuple(type(m)(name, name, "refA") for m, name in zip(metrics, "xy", strict=True)),
        scores=np.tile(-found.scores[:, :, None], 2),
    )
    tasks = [
        Task("t", ("a-b",), "pearson-sys"),
        Task("t", ("a-b",), "pa"),
        Task("t", ("a-b",), "pearson-sys", human_systems=False),
        Task("t", ("a-b",), "spa"),
    ]
    options = TaskOptions(
        scheme="both", system_scores="official", primary_only=False, n_resamples=4000
    )
    results = run_tasks(evalset, tasks, options, system_scores={None: found})
    expected = [np.corrcoef(found.gold, metric)[0, 1] for metric in found.scores]
    np.testing.assert_allclose(results[0].scores, expected)
    accuracy = [
        np.mean(
            [
                np.sign(found.gold[i] - found.gold[j]) == np.sign(metric[i] - metric[j])
                for i, j in combinations(range(6), 2)
            ]
        )
        for metric in found.scores
    ]
    np.testing.assert_allclose(results[1].scores, accuracy)
    without = [np.corrcoef(found.gold[1:], metric[1:])[0, 1] for metric in found.scores]
    np.testing.assert_allclose(results[2].scores, without)
    assert results[3].scores[0] < 0.5  # SPA is not one of them: it keeps the segments
    # All 64 ways to swap systems between the standardised metrics, one by one.
    x, y = ((m - m.mean()) / m.std() for m in found.scores)
    exact = []
    for coins in product([True, False], repeat=6):
        one, other = np.where(coins, x, y), np.where(coins, y, x)
        exact.append(np.corrcoef(found.gold, one)[0, 1] - np.corrcoef(found.gold, other)[0, 1])
    observed = abs(expected[0] - expected[1])
    share = np.mean(np.abs(exact) >= observed - 1e-10)
    assert results[0].null is not None
    drawn = np.mean(np.abs(results[0].null[0]) >= observed - 1e-10)
    assert abs(drawn - share) < 4.0 * np.sqrt(share * (1 - share) / 4000)
    assert scheme_names(tasks, options) == "pearson-sys, pa by perm-systems; spa by perm-both"


def test_tasks_say_what_they_lack(root: Path) -> None:
    options = TaskOptions(system_scores="official", primary_only=False)
    task = Task("tiny", ("en-de",), "pa")
    with pytest.raises(InputError, match="`tiny en-de pa` needs the scores of systems"):
        run_tasks(selection(root), [task], options)


def test_values_are_those_that_mt_metrics_eval_tests_for(public_data: Path) -> None:
    # mt_metrics_eval/tasks_test.py: 0.8619197 and -0.5138621 by Pearson, 0.8021978 and 0.3296703 by
    # accuracy, over systems with human translations; the scores are means over all 2,037 segments.
    root = public_data / "mtme"
    facts = load_testset("wmt22", root=root).facts("en-de")
    selected, _ = select(read_evalset(root, "wmt22", "en-de"))
    (found,) = read_system_scores(root, selected, facts=facts)
    tasks = [Task("wmt22", ("en-de",), meta) for meta in ("pearson-sys", "pa")]
    options = TaskOptions(system_scores="official", n_resamples=19)
    pearson, accuracy = run_tasks(selected, tasks, options, system_scores={None: found})
    for result, best, worst in (
        (pearson, 0.8619197, -0.5138621),
        (accuracy, 0.8021978, 0.3296703),
    ):
        scores = dict(zip(result.metric_names, result.scores, strict=True))
        assert scores["metricx_xxl_MQM_2020"] == pytest.approx(best, abs=5e-8)
        assert scores["REUSE"] == pytest.approx(worst, abs=5e-8)
        # Corpus-level metrics have other scores there, and one metric has none of segments.
        others = [n for n in scores if n not in ("BLEU", "chrF", "f200spBLEU", "BERTScore")]
        order = sorted(others, key=lambda name: -scores[name])
        assert order[:3] == ["metricx_xxl_MQM_2020", "COMET-20", "COMET-22"]
        assert order[-1] == "REUSE"
