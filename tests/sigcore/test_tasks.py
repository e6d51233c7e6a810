"""Task sets, their results on language pairs, and averages, against direct computation."""

import re
from itertools import combinations
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from scipy.stats import binomtest

from sigcore.errors import DataFileError, InputError
from sigcore.evalset import EvalSet, Metric
from sigcore.meta.accuracy import pool_accuracy, segment_accuracy
from sigcore.meta.averaging import average_tasks
from sigcore.meta.clusters import greedy_clusters
from sigcore.meta.permuted import is_fast
from sigcore.meta.registry import meta_metric
from sigcore.meta.significance import compare_metrics
from sigcore.meta.tasks import TaskOptions, TaskResult, pool_results, run_tasks
from sigcore.tasksets import Task, known_task_sets, load_task_set, split_weights

FloatArray = npt.NDArray[np.float64]
LANGUAGES = ("en-de", "en-ru", "zh-en")
OPTIONS = TaskOptions(n_resamples=200, primary_only=False)


def simulated(lp: str, seed: int, *, names: str = "abcd", n_systems: int = 5) -> EvalSet:
    rng = np.random.default_rng(seed)
    quality = rng.normal(size=(n_systems, 1)) + rng.normal(size=(n_systems, 40))
    noise = np.linspace(0.5, 3.0, len(names))[:, None, None]
    scores = quality + noise * rng.normal(size=(len(names), *quality.shape))
    systems = tuple(f"s{k}" for k in range(n_systems - 1))
    return EvalSet(
        testset="demo",
        language_pair=lp,
        gold_name="mqm",
        systems=("refB", *systems),
        human_systems=("refB",),
        segments=np.arange(40),
        documents=None,
        gold=np.rint(2.0 * quality),
        metrics=tuple(Metric(name, name, "refA", primary=name != "d") for name in names),
        scores=scores,
    )


def test_wmt22_has_its_201_tasks_and_their_weights() -> None:
    tasks = load_task_set("wmt22", [("wmt22", lp) for lp in LANGUAGES]).tasks
    assert len(tasks) == 201
    assert sum(task.weight for task in tasks) == pytest.approx(1.0)
    weight = {task.name: task.weight for task in tasks}
    # A quarter to the pooled accuracy and to each language; a fifth of it to each domain; half to
    # systems and segments; half with and without humans; a third to each grouping; half to Pearson.
    assert weight["wmt22 en-de+en-ru+zh-en pa without humans"] == pytest.approx(1 / 4)
    assert weight["wmt22 en-de kendall-sys with humans"] == pytest.approx(1 / 4 / 5 / 2 / 2 / 2)
    name = "wmt22 zh-en tau-b-item without humans news"
    assert weight[name] == pytest.approx(1 / 4 / 5 / 2 / 2 / 3 / 2)
    name = "wmt22 en-ru pearson-seg without humans"
    assert weight[name] == pytest.approx(1 / 4 / 5 / 2 / 1 / 3 / 2)


def test_wmt23_weighs_pooled_accuracy_three_times() -> None:
    pairs = [("wmt23", lp) for lp in ("en-de", "he-en", "zh-en")]
    tasks = load_task_set("wmt23", pairs).tasks
    assert len(tasks) == 10
    assert tasks[0].language_pairs == ("en-de", "he-en", "zh-en")
    assert [round(12 * task.weight, 9) for task in tasks] == [3.0] + [1.0] * 9


@pytest.mark.parametrize(("name", "n_pairs"), [("wmt24", 3), ("wmt25", 16)])
def test_wmt24_and_wmt25_are_spa_and_acc_eq(name: str, n_pairs: int) -> None:
    everything = load_task_set(name, [(name, lp) for lp in _language_pairs(name)])
    assert len(everything.tasks) == 2 * n_pairs
    assert {task.meta for task in everything.tasks} == {"spa", "acc-eq"}
    assert len({task.weight for task in everything.tasks}) == 1
    assert everything.skipped == ()


def _language_pairs(name: str) -> tuple[str, ...]:
    from sigcore.testsets import load_testset

    return load_testset(name).official


def test_missing_language_pairs_are_named_and_weights_shared_out() -> None:
    some = load_task_set("wmt23", [("wmt23", "en-de"), ("wmt23", "zh-en")])
    assert some.skipped == ("wmt23 he-en has no data; its tasks are left out of the average.",)
    assert [round(8 * task.weight, 9) for task in some.tasks] == [2.0] + [1.0] * 6
    assert some.pairs == (("wmt23", "en-de"), ("wmt23", "zh-en"))
    with pytest.raises(InputError, match="no task of the set 'wmt24' has data"):
        load_task_set("wmt24", [("wmt23", "en-de")])


def test_tasks_on_domains_need_documents() -> None:
    pairs = [("wmt22", "en-de"), ("wmt22", "zh-en")]
    some = load_task_set("wmt22", pairs, with_domains=pairs[1:])
    assert len(some.tasks) == 1 + 16 + 80
    assert not any(task.domain for task in some.tasks if task.language_pairs == ("en-de",))
    assert some.skipped[-1] == (
        "wmt22 en-de has no documents; its tasks on domains are left out of the average."
    )
    assert sum(task.weight for task in some.tasks) == pytest.approx(1.0)


def test_the_standard_set_takes_whatever_there_is() -> None:
    found = load_task_set("standard", [("x", "a-b"), ("y", "c-d")])
    assert [task.name for task in found.tasks] == [
        "x a-b spa",
        "x a-b acc-eq",
        "y c-d spa",
        "y c-d acc-eq",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name: x", "must have the key `tasks`"),
        ("name: x\ntasks: []", "must be a list of one task or more"),
        ("name: x\nextra: 1\ntasks: [{}]", "unknown key `extra`"),
        ("name: x\ntasks: [{testset: t, meta: spa}]", "either `pool` or `each`"),
        ("name: x\ntasks: [{testset: t, pool: [a-b], meta: spa}]", "`pool` is for .* pa"),
        ("name: x\ntasks: [{testset: t, each: [a-b], meta: pce}]", "`meta` of task 1 must be a"),
        ("name: x\naverage: sums\ntasks: [{}]", "must be scores or ranks"),
        ("name: x\nsystem_scores: raw\ntasks: [{}]", "`system_scores` must be rated or official"),
        ("name: x\nweights_by: [colour]\ntasks: [{}]", "`weights_by` must be a list out of"),
        ("name: x\ntasks: [{testset: t, each: [a-b, a-b], meta: spa}]", "is there twice"),
        ("name: [x\n", "is not valid YAML"),
    ],
)
def test_wrong_files_are_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(text)
    with pytest.raises((DataFileError, InputError), match=message):
        load_task_set(path, [("t", "a-b")])


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("weight: heavy", "a number above 0; got 'heavy'"),
        ("weight: 0", "a number above 0; got 0"),
        ("weight: -1", "a number above 0; got -1"),
        ("weight: .nan", "a number above 0; got nan"),
        ("weight: .inf", "a number above 0; got inf"),
        (f"weight: 1{'0' * 400}", "a number above 0; got 1000"),
        ("weight: true", "a number above 0; got True"),
        ("weight: [1]", r"a number above 0; got \[1\]"),
        ("human_systems: yes", "a list of true and false, one or both; got True"),
        ("human_systems: []", r"a list of true and false, one or both; got \[\]"),
        ("human_systems: [maybe]", r"a list of true and false, one or both; got \['maybe'\]"),
        ("domain: news", "a list of domains, one or more; got 'news'"),
        ("domain: [no]", r"a list of domains, one or more; got \[False\]"),
        ("each: en-de", "all, or a list of language pairs, one or more; got 'en-de'"),
        ("each: []", r"all, or a list of language pairs, one or more; got \[\]"),
        ("pool: en-de", "a list of language pairs, one or more; got 'en-de'"),
        ("meta: spaa", "a meta-metric or a list of them, out of spa, .*; got 'spaa'"),
        ("meta: []", r"a meta-metric or a list of them, out of spa, .*; got \[\]"),
        ("meta: [spa, [pa]]", r"a meta-metric or a list of them, out of spa, .*; got \['spa', "),
        ("testset: 23", "a text; got 23"),
    ],
)
def test_a_wrong_value_of_a_task_has_file_line_key_and_expectation(
    tmp_path: Path, line: str, expected: str
) -> None:
    key = line.split(":")[0]
    others = {"testset": "testset: t", "each": "each: [a-b]", "meta": "meta: spa"}
    if key == "pool":
        others["each"] = ""
    kept = [text for name, text in others.items() if text and name != key]
    path = tmp_path / "mine.yaml"
    entry = "\n    ".join([*kept, line])
    path.write_text(f"name: x\ntasks:\n  - {{testset: t, each: [a-b], meta: pa}}\n  - {entry}\n")
    with pytest.raises(DataFileError) as caught:
        load_task_set(path, [("t", "a-b")])
    place = rf"mine\.yaml:{3 + len(kept) + 1}: `{key}` of task 2 must be "
    assert re.search(place + expected, str(caught.value)), caught.value
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("primary_only: yess", "`primary_only` must be true or false; got 'yess'."),
        ("weights_by: domain", "`weights_by` must be a list out of testset, .*; got 'domain'."),
        ("weights_by: [colour]", r"`weights_by` must be a list out of .*; got \['colour'\]."),
        ("average: [scores]", r"`average` must be scores or ranks; got \['scores'\]."),
        ("description: 3", "`description` must be a text; got 3."),
        ("name: again", "the key `name` is there already in line 1."),
        ("extra: 1", "unknown key `extra`; known are name, "),
    ],
)
def test_a_wrong_value_of_a_set_has_file_line_key_and_expectation(
    tmp_path: Path, line: str, message: str
) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(f"name: x\n{line}\ntasks: [{{testset: t, each: [a-b], meta: spa}}]\n")
    with pytest.raises(DataFileError, match=rf"mine\.yaml:2: {message}"):
        load_task_set(path, [("t", "a-b")])


@pytest.mark.parametrize(
    ("task", "line", "message"),
    [
        ("pool:\n    - a-b\n    - a-b\n    - c-d\n    meta: pa", 6, "`pool` of task 1 .* 'a-b' is"),
        ("each: [a-b, c-d,\n     a-b]\n    meta: pa", 5, "`each` of task 1 .* 'a-b' is"),
        ("each: all\n    meta: [spa, spa]", 5, "`meta` of task 1 .* 'spa' is"),
        (
            "each: all\n    meta: pa\n    human_systems: [true, false, true]",
            6,
            "`human_systems` of task 1 .* True is",
        ),
        (
            "each: all\n    meta: pa\n    domain: [all, news, news]",
            6,
            "`domain` of task 1 .* 'news' is",
        ),
        ("each: all\n    meta: pa\nweights_by: [kind, kind]", 6, "`weights_by` .* 'kind' is"),
    ],
)
def test_a_value_that_is_twice_in_a_list_is_refused_with_its_line(
    tmp_path: Path, task: str, line: int, message: str
) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(f"name: x\ntasks:\n  - testset: t\n    {task}\n")
    with pytest.raises(DataFileError) as caught:
        load_task_set(path, [("t", "a-b"), ("t", "c-d")])
    expected = rf"mine\.yaml:{line}: {message} there twice\."
    assert re.search(expected, str(caught.value)), caught.value


def test_all_test_sets_go_with_all_language_pairs(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("name: x\ntasks:\n  - testset: all\n    each: [a-b]\n    meta: spa\n")
    with pytest.raises(DataFileError, match=r"mine\.yaml:3: `testset: all` goes with `each: all`"):
        load_task_set(path, [("t", "a-b")])


def test_an_unknown_set_is_refused() -> None:
    with pytest.raises(InputError, match=f"must be one of {', '.join(known_task_sets())}"):
        load_task_set("wmt99", [])
    with pytest.raises(InputError, match="there is no such set"):
        load_task_set("absent.yaml", [])


def test_weights_are_split_evenly_at_every_step() -> None:
    tasks = [
        Task("t", ("a-b",), "spa"),
        Task("t", ("a-b",), "pearson-seg"),
        Task("t", ("c-d",), "pa"),
    ]
    weights = [task.weight for task in split_weights(tasks, ["language_pairs", "level"])]
    assert weights == [0.25, 0.25, 0.5]


def test_results_are_those_of_compare_metrics() -> None:
    evalset = simulated("a-b", 1)
    tasks = [Task("demo", ("a-b",), meta) for meta in ("pa", "pearson-seg", "acc-eq")]
    results = run_tasks(evalset, tasks, OPTIONS)
    direct = compare_metrics(
        evalset.gold,
        evalset.scores,
        meta=("pa", "pearson-seg", "acc-eq"),
        purpose=("demo", "a-b"),
        n_resamples=200,
        keep_null=True,
    )
    for task, result in zip(tasks, results, strict=True):
        np.testing.assert_array_equal(result.scores, direct[task.meta].scores)
        np.testing.assert_array_equal(result.null, direct[task.meta].null)  # type: ignore[arg-type]
        assert result.metric_names == ("a", "b", "c", "d")
        assert result.n_system_pairs == 10


def test_tasks_choose_systems_segments_and_metrics() -> None:
    evalset = simulated("a-b", 2)
    domains = ["news", "chat"] * 20
    tasks = [
        Task("demo", ("a-b",), "spa", human_systems=False),
        Task("demo", ("a-b",), "pearson-seg", domain="chat"),
        Task("demo", ("a-b",), "tau-c-seg"),
    ]
    options = TaskOptions(n_resamples=50, primary_only=True)
    without, chat, untested = run_tasks(evalset, tasks, options, domains=domains)
    assert without.metric_names == ("a", "b", "c")
    assert without.n_system_pairs == 6
    expected = [
        meta_metric("pearson-seg")(evalset.gold[:, 1::2], metric[:, 1::2]).value
        for metric in evalset.scores[:3]
    ]
    np.testing.assert_allclose(chat.scores, expected, atol=1e-12)
    assert untested.null is None
    assert untested.scores[0] == meta_metric("tau-c-seg")(evalset.gold, evalset.scores[0]).value
    with pytest.raises(InputError, match="needs the domains"):
        run_tasks(evalset, tasks[1:2], options)
    with pytest.raises(InputError, match="has no segment"):
        run_tasks(evalset, tasks[1:2], options, domains=["news"] * 40)


def test_pooled_accuracy_is_that_of_all_system_pairs() -> None:
    task = Task("demo", ("a-b", "c-d"), "pa")
    sets = [simulated("a-b", 3, names="abc"), simulated("c-d", 4, names="abcd", n_systems=7)]
    parts = [run_tasks(evalset, [task], OPTIONS)[0] for evalset in sets]
    pooled = pool_results(parts)
    assert pooled.metric_names == ("a", "b", "c")
    assert pooled.n_system_pairs == 10 + 21
    for index in range(3):
        every = pool_accuracy(segment_accuracy(each.gold, each.scores[index]) for each in sets)
        assert pooled.scores[index] == pytest.approx(every.value)
    assert pooled.null is not None
    first, second = (part.take("abc").null for part in parts)
    assert first is not None
    assert second is not None
    np.testing.assert_allclose(pooled.null * 31, first * 10 + second * 21, atol=1e-12)


def made(task: Task, names: str, scores: list[float], null: FloatArray | None) -> TaskResult:
    pairs = tuple(combinations(range(len(names)), 2))
    differences = np.array([scores[a] - scores[b] for a, b in pairs])
    return TaskResult(task, tuple(names), np.array(scores), pairs, differences, null, 10)


def test_averages_equal_sums_by_hand() -> None:
    rng = np.random.default_rng(5)
    one = made(Task("t", ("a-b",), "spa"), "xyz", [0.9, 0.8, 0.5], rng.normal(size=(3, 99)) / 10)
    two = made(
        Task("t", ("a-b",), "pearson-seg"), "zyxw", [0.2, 0.4, 0.6, 0.9], rng.normal(size=(6, 99))
    )
    average = average_tasks([one, two], [3.0, 1.0], estimator="plain")
    assert average.metric_names == ("x", "y", "z")
    assert average.left_out == ("w",)
    np.testing.assert_allclose(
        average.scores,
        [0.75 * 0.9 + 0.25 * 0.8, 0.75 * 0.8 + 0.25 * 0.7, 0.75 * 0.5 + 0.25 * 0.6],
    )
    assert one.null is not None
    assert two.null is not None
    # x against y: row 0 of the first task, and turned, row 3 (y, x) of the second.
    drawn = 0.75 * one.null[0] - 0.25 * two.null[3] / 2
    observed = average.scores[0] - average.scores[1]
    assert average.comparison is not None
    assert average.comparison.pvalues[0, 0] == np.mean(np.abs(drawn) >= abs(observed))
    np.testing.assert_allclose(average.mean_ranks, average.weights @ average.task_ranks)


def test_ranks_are_those_of_the_greedy_rule() -> None:
    evalset = simulated("a-b", 6)
    tasks = [Task("demo", ("a-b",), meta) for meta in ("spa", "pearson-seg")]
    results = run_tasks(evalset, tasks, OPTIONS)
    average = average_tasks(results)
    direct = compare_metrics(
        evalset.gold,
        evalset.scores,
        meta=("spa", "pearson-seg"),
        purpose=("demo", "a-b"),
        n_resamples=200,
    )
    for row, task in enumerate(tasks):
        test = direct[task.meta]
        expected = greedy_clusters(test.scores, test.pvalues, names=list("abcd")).ranks
        assert average.task_ranks[row].tolist() == expected.tolist()


def test_an_untested_task_is_ranked_in_plain_order_and_leaves_no_p_values() -> None:
    rng = np.random.default_rng(7)
    one = made(Task("t", ("a-b",), "spa"), "xyz", [0.9, 0.8, 0.8], rng.normal(size=(3, 20)))
    two = made(Task("t", ("a-b",), "tau-b-seg"), "xyz", [0.1, 0.3, 0.1], None)
    average = average_tasks([one, two])
    assert average.task_ranks[1].tolist() == [2, 1, 2]
    assert average.tested.tolist() == [True, False]
    assert average.comparison is None
    assert average.ranks is None


def test_a_metric_without_a_value_is_left_out() -> None:
    rng = np.random.default_rng(8)
    null = rng.normal(size=(3, 20))
    one = made(Task("t", ("a-b",), "spa"), "xyz", [0.9, np.nan, 0.8], null)
    assert average_tasks([one]).left_out == ("y",)
    two = made(Task("t", ("a-b",), "spa"), "xyz", [np.nan, np.nan, 0.8], null)
    with pytest.raises(InputError, match="at least 2 metrics must have a score"):
        average_tasks([two])


def test_different_numbers_of_draws_are_refused() -> None:
    task = Task("t", ("a-b",), "spa")
    results = [made(task, "xy", [0.9, 0.8], np.zeros((1, n))) for n in (10, 20)]
    with pytest.raises(InputError, match=r"the same number of draws; got \[10, 20\]"):
        average_tasks(results)
    with pytest.raises(InputError, match="`weights` must be 1 numbers"):
        average_tasks(results[:1], [1.0, 2.0])


def test_an_undefined_draw_counts_as_extreme_and_a_pair_without_draws_has_no_p_value() -> None:
    null = np.zeros((3, 99))
    null[0, :10] = np.nan  # the pair x, y; that of x, z was never drawn
    null[1] = np.nan
    result = made(Task("t", ("a-b",), "spa"), "xyz", [0.9, 0.8, 0.7], null)
    comparison = average_tasks([result], estimator="plain").comparison
    assert comparison is not None
    np.testing.assert_allclose(comparison.pvalues[0], [10 / 99, np.nan, 0.0])


def test_equally_good_metrics_differ_on_average_at_the_nominal_rate() -> None:
    """Tasks on the same segments depend on each other; shared coins allow for it."""
    rng = np.random.default_rng(9)
    tasks = [Task("demo", ("a-b",), meta) for meta in ("spa", "pearson-seg", "acc-eq")]
    options = TaskOptions(n_resamples=99, primary_only=False)
    wrong, n_trials = 0, 300
    base = simulated("a-b", 0, names="ab")
    for _ in range(n_trials):
        quality = rng.normal(0.0, 0.25, size=(5, 1)) + rng.normal(size=(5, 40))
        evalset = EvalSet(
            **{
                **{name: getattr(base, name) for name in EvalSet.__slots__},
                "gold": np.rint(2.0 * (quality + rng.normal(size=quality.shape))),
                "scores": quality + rng.normal(0.0, 1.5, size=(2, *quality.shape)),
            }
        )
        average = average_tasks(run_tasks(evalset, tasks, options), alpha=0.1)
        assert average.comparison is not None
        wrong += int(average.comparison.pvalues[0, 0] <= 0.1)
    assert binomtest(wrong, n_trials, 0.1).pvalue > 0.001


@pytest.mark.parametrize("name", ["wmt22", "wmt23", "wmt24", "wmt25"])
def test_every_official_task_has_a_test(name: str) -> None:
    tasks = load_task_set(name, [(name, lp) for lp in _language_pairs(name)]).tasks
    assert tasks
    assert [task.name for task in tasks if not is_fast(task.meta, "inputs")] == []
