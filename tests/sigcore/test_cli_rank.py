"""`sigcore rank` as a user types it."""

import json
import shutil

import numpy as np
import pytest

from sigcore.cli import rank as command
from sigcore.cli.main import main
from sigcore.io.mtme import read_evalset
from sigcore.meta.adjustment import CORRECTIONS
from sigcore.meta.ceiling import human_ceiling
from sigcore.meta.corpus_scores import CORPUS_SCORES
from sigcore.simulate import SimulatedPair, SimulationSpec, write_evalset_files

LP = "en-de"
N_METRICS = 12


@pytest.fixture(autouse=True)
def only_this_command(monkeypatch):
    monkeypatch.setattr("sigcore.cli.main.SUBCOMMANDS", ("rank",))


@pytest.fixture(scope="module")
def simulated(tmp_path_factory):
    root = tmp_path_factory.mktemp("data")
    pair = SimulatedPair(LP, 5, 130, 120, N_METRICS)
    write_evalset_files(SimulationSpec("simulated", 0, (pair,)), root)
    return root


@pytest.fixture
def data(simulated, tmp_path):
    """A copy of the simulated set that a test may change."""
    shutil.copytree(simulated / "simulated", tmp_path / "data" / "simulated")
    return tmp_path / "data"


@pytest.fixture
def stored(data):
    return sorted((data / "simulated" / "metric-scores" / LP).glob("*-refA.seg.score"))


@pytest.fixture
def mine(stored, tmp_path):
    """A copy of a stored metric under another name."""
    return shutil.copy(stored[0], tmp_path / "my-metric.seg.score")


@pytest.fixture
def run(capsys, data):
    """Run the command on the simulated set and return exit code, output and errors."""

    def run_command(*arguments):
        source = ["--testset", "simulated", "--lp", LP, "--data", str(data)]
        code = main(["rank", *map(str, arguments), *source, "--resamples", "100"])
        return code, *capsys.readouterr()

    return run_command


@pytest.fixture
def record(run):
    """Run the command with --json and return what it printed."""

    def json_of(*arguments):
        code, out, err = run(*arguments, "--json")
        assert code == 0, err
        return json.loads(out)

    return json_of


def base_of(path):
    return path.name.removesuffix("-refA.seg.score")


def test_a_copy_of_a_metric_ties_with_it(record, mine, stored):
    found = record(mine)
    (placement,) = found["placements"]
    lines = {line["name"]: line for line in found["standings"]}
    original = lines[base_of(stored[0])]
    assert placement["standing"]["name"] == "my-metric"
    for key in ("spa", "pa", "place", "cluster"):
        assert placement["standing"][key] == original[key]
    contests = {contest["other"]: contest for contest in placement["contests"]}
    assert contests[original["name"]]["pvalue"] == 1.0
    assert len(contests) == len(lines) - 1
    assert len(placement["disagreements"]) == 10
    assert (found["testset"], found["language_pair"], found["gold"]) == ("simulated", LP, "mqm")


def test_the_report_says_place_cluster_and_outcomes(run, mine):
    code, out, _ = run(mine, "--top", "3")
    assert code == 0
    assert out.startswith("simulated en-de, gold mqm: 5 systems, 120 segments, 13 metrics.\n")
    assert "## my-metric" in out
    assert "Place " in out
    assert " my-metric is |" in out
    assert "| people prefer |" in out
    assert "p: PERM-INPUTS, two-sided, 100 draws, seed 0; significant up to 0.05." in out
    assert "Left out: " in out


def test_a_metric_that_is_left_out_is_named(run, mine, stored):
    lines = stored[1].read_text().splitlines()
    stored[1].write_text("".join(f"{line.split()[0]}\tNone\n" for line in lines))
    line = run(mine)[1].splitlines()[1]
    name = stored[1].name.removesuffix(".seg.score")
    assert f"metric {name} (expected a score wherever there is gold; " in line


def test_selection_options_are_heeded(record, mine):
    everything, fewer = record(mine), record(mine, "--no-reference-free", "--exclude", "refB")
    assert len(fewer["standings"]) < len(everything["standings"])
    assert fewer["n_systems"] == everything["n_systems"] - 1
    assert {"kind": "system", "name": "refB", "reason": "not wanted", "count": 1} in (
        fewer["left_out"]
    )
    assert record(mine, "--no-human-systems")["n_systems"] == everything["n_systems"] - 1
    assert record(mine, "--outliers")["n_systems"] == everything["n_systems"] + 1
    primary = record(mine, "--primary-only")
    assert len(primary["standings"]) < len(everything["standings"])


def test_alpha_adjustment_and_seed_are_heeded(record, mine):
    found = record(mine, "--alpha", "0.2", "--adjust", "holm", "--seed", "7", "--top", "0")
    assert (found["alpha"], found["adjust"], found["seed"]) == (0.2, "holm", 7)
    assert found["placements"][0]["disagreements"] == []


def test_a_correction_that_nothing_can_pass_is_noted(record, mine):
    notes = record(mine, "--adjust", "holm")["notes"]
    assert [note for note in notes if "100 draws are too few" in note]
    assert not record(mine, "--adjust", "maxt")["notes"]


def test_a_level_that_no_p_value_reaches_is_noted(record, run, mine):
    message = "100 draws are too few: nothing can be significant at 0.001 with fewer than 999 draws"
    (note,) = record(mine, "--alpha", "0.001")["notes"]
    assert message in note
    assert f"Note: {message}" in run(mine, "--alpha", "0.001")[1]
    assert not record(mine, "--alpha", "0.01")["notes"]


def test_several_files_and_stored_metrics_are_placed(record, mine, stored, tmp_path):
    second = shutil.copy(stored[1], tmp_path / "second.seg.score")
    found = record(mine, second, base_of(stored[2]))
    names = [placement["standing"]["name"] for placement in found["placements"]]
    assert names == ["my-metric", "second", base_of(stored[2])]
    folder = tmp_path / "mine"
    folder.mkdir()
    shutil.move(mine, folder)
    shutil.move(second, folder)
    names = [line["standing"]["name"] for line in record(folder)["placements"]]
    assert names == ["my-metric", "second"]


def test_smaller_scores_can_be_better(record, run, mine):
    lines = [line.split("\t") for line in mine.read_text().splitlines()]
    mine.write_text("".join(f"{name}\t{-float(score)!r}\n" for name, score in lines))
    turned = record(mine, "--smaller-is-better")["placements"][0]["standing"]
    wrong = record(mine)["placements"][0]["standing"]
    # With ties counted by half each p-value becomes 1 - p.
    assert turned["n_agree"] == wrong["n_pairs"] - wrong["n_agree"]
    assert turned["spa"] > 0.5 > wrong["spa"]
    assert "are its larger scores better?" in run(mine)[1]


@pytest.mark.parametrize(
    ("form", "expected"),
    [("--markdown", "| name | place |"), ("--latex", r"\begin{tabular}{lrrrrrrl}")],
)
def test_tables_for_papers(run, mine, form, expected, tmp_path):
    out = run(mine, form)[1]
    assert expected in out
    assert run(mine, form, "--output", tmp_path / "table.txt")[1] == ""
    assert (tmp_path / "table.txt").read_text() == out


@pytest.mark.parametrize("option", ["--output", "--html"])
def test_a_folder_is_no_file_to_write(run, mine, option, tmp_path):
    folder = tmp_path / "wd"
    folder.mkdir()
    other = "--html" if option == "--output" else "--output"
    code, out, err = run(mine, option, folder, other, tmp_path / "page.html")
    assert (code, out) == (2, "")
    assert err == f"sigcore: error: {folder}: is a folder; the name of a file was expected.\n"
    assert not (tmp_path / "page.html").exists()


@pytest.mark.parametrize("option", ["--output", "--html"])
@pytest.mark.parametrize(
    ("which", "words"),
    [
        ("mine", "the scores to read and `{}` must be different files"),
        ("stored", "`{}` must not be among the files of the test set"),
        ("gold", "`{}` must not be among the files of the test set"),
    ],
)
def test_files_that_are_read_are_not_written(run, mine, stored, data, option, which, words):
    gold = next((data / "simulated" / "human-scores").glob("*.seg.score"))
    path = {"mine": mine, "stored": stored[0], "gold": gold}[which]
    before = path.read_bytes()
    code, out, err = run(mine, option, path)
    assert (code, out) == (2, "")
    assert err == f"sigcore: error: {path}: {words.format(option)}.\n"
    assert path.read_bytes() == before


def test_the_page_is_not_the_report(run, mine, tmp_path):
    path = tmp_path / "page.html"
    code, _, err = run(mine, "--output", path, "--html", tmp_path / "sub" / ".." / "page.html")
    assert code == 2
    assert "`--output` and `--html` must be different files" in err
    assert not path.exists()


@pytest.mark.parametrize("bad", ["/proc/x.txt", "my-metric.seg.score/x.txt", f"{'x' * 250}.txt"])
def test_nothing_is_written_if_not_all_can_be(run, mine, tmp_path, bad):
    before = sorted(tmp_path.iterdir())
    for option, other in (("--output", "--html"), ("--html", "--output")):
        code, out, err = run(mine, option, tmp_path / bad, other, tmp_path / "new" / "page")
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert str(tmp_path / bad.removesuffix("/x.txt")) in err or bad in err
        assert sorted(tmp_path.iterdir()) == before


def test_the_same_call_prints_the_same(run, mine):
    assert run(mine)[1] == run(mine)[1]


def second_ratings(data, name="two", gaps=0):
    """Write noisy copies of the gold as further ratings; the first segments may have none."""
    path = data / "simulated" / "human-scores" / f"{LP}.mqm.seg.score"
    rng = np.random.default_rng(0)
    lines, count = [], {}
    for line in path.read_text().splitlines():
        system, score = line.split("\t")
        number = count[system] = count.get(system, 0) + 1
        known = score != "None" and number > gaps
        lines.append(f"{system}\t{float(score) + rng.integers(-2, 3) if known else None}\n")
    (path.parent / f"{LP}.{name}.seg.score").write_text("".join(lines))


def test_human_ratings_are_the_ceiling(record, run, mine, data):
    second_ratings(data)
    found = record(mine, "--human", "two")
    (line,) = (line for line in found["standings"] if line["kind"] == "human")
    assert line["name"] == "human: two"
    assert line["place"] is None
    assert "human: two" in [c["other"] for c in found["placements"][0]["contests"]]
    sets = [read_evalset(data, "simulated", LP, gold=name) for name in ("mqm", "two")]
    rows = [sets[0].systems.index(name) for name in found["systems"]]
    ceiling = human_ceiling(*(part.gold[rows] for part in sets))
    assert (line["spa"], line["pa"]) == (ceiling.spa, ceiling.pa)
    assert found["n_segments"] == ceiling.n_segments
    assert "| human: two" in run("--human", "two")[1]


def test_ratings_of_fewer_segments_cut_the_comparison(record, mine, data):
    before = record(mine)["n_segments"]
    second_ratings(data, gaps=20)
    after = record(mine, "--human", "two")
    assert after["n_segments"] < before
    assert all(np.isfinite(line["spa"]) for line in after["standings"])


def rating_file(data):
    return data / "simulated" / "human-scores" / f"{LP}.two.seg.score"


def rows_of(path):
    """Read the scores of each system as they are written."""
    rows = {}
    for line in path.read_text().splitlines():
        system, score = line.split("\t")
        rows.setdefault(system, []).append(score)
    return rows


def write_rows(path, rows):
    write_lines(path, [f"{system}\t{score}" for system, row in rows.items() for score in row])


def left_out_of(found, kind):
    return {
        (entry["name"], entry["reason"]): entry["count"]
        for entry in found["left_out"]
        if entry["kind"] == kind
    }


def test_segments_without_gold_and_without_a_second_rating_are_told_apart(record, mine, data):
    no_gold = {("mqm", "no gold score for every system"): 10}
    assert left_out_of(record(mine), "segment") == no_gold
    second_ratings(data)
    assert left_out_of(record(mine, "--human", "two"), "segment") == no_gold
    # Three rated cells of two segments have no second rating.
    path, systems = rating_file(data), record(mine)["systems"]
    rows = rows_of(path)
    rated = [n for n, score in enumerate(rows[systems[0]]) if score != "None"]
    for system, segment in zip(systems[:3], (rated[0], rated[1], rated[1]), strict=True):
        rows[system][segment] = "None"
    write_rows(path, rows)
    found = record(mine, "--human", "two")
    assert left_out_of(found, "segment") == {
        **no_gold,
        ("two", "no two score for every system"): 2,
    }
    assert found["n_segments"] == 118


def test_a_system_without_a_second_rating_is_left_out_for_that(record, run, mine, data):
    second_ratings(data)
    systems = record(mine)["systems"]
    path = rating_file(data)
    rows = rows_of(path)
    write_rows(path, {name: row for name, row in rows.items() if name != systems[0]})
    found = record(mine, "--human", "two")
    assert left_out_of(found, "system")[systems[0], "no two score"] == 1
    assert found["systems"] == systems[1:]
    assert left_out_of(found, "segment") == {("mqm", "no gold score for every system"): 10}
    # Ratings of segments without gold are of no use.
    gold = rows_of(path.with_name(path.name.replace("two", "mqm")))[systems[0]]
    useless = ["1" if score == "None" else "None" for score in gold]
    write_rows(path, {**rows, systems[0]: useless})
    assert record(mine, "--human", "two")["systems"] == systems[1:]
    write_rows(path, {systems[0]: rows[systems[0]]})
    code, _, err = run(mine, "--human", "two")
    assert code == 2
    assert "two.seg.score: expected scores of at least 2 of the 5 systems in use; found 1." in err


def test_second_ratings_that_share_no_segment_are_refused(record, run, mine, data):
    second_ratings(data)
    systems = record(mine)["systems"]
    path = rating_file(data)
    rows = rows_of(path)
    for segment in range(130):
        rows[systems[segment % 2]][segment] = "None"
    write_rows(path, rows)
    code, _, err = run(mine, "--human", "two")
    assert code == 2
    assert "expected scores of all 5 systems on a segment that has mqm scores; there is no" in err


def test_the_gold_itself_is_not_a_second_rating(run, mine):
    code, _, err = run(mine, "--human", "mqm")
    assert code == 2
    assert "other ratings than the gold" in err
    assert "ratings of en-de are mqm" in run(mine, "--human", "three")[2]


def write_texts(data, systems, n_segments):
    """Write a reference and outputs that have more and more words replaced."""
    rng = np.random.default_rng(1)
    words = np.array(["the", "a", "cat", "dog", "sat", "on", "mat", "with", "red", "hat"])
    reference = [" ".join(rng.choice(words, size=8)) for _ in range(n_segments)]
    write_lines(data / "simulated/references/en-de.refA.txt", reference)
    for number, system in enumerate(systems):
        lines = [
            " ".join(word if rng.random() > 0.03 * number else "x" for word in line.split())
            for line in reference
        ]
        write_lines(data / f"simulated/system-outputs/{LP}/{system}.txt", lines)


def write_lines(path, lines):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines))


def test_corpus_level_metrics_are_listed(record, run, mine, data):
    pytest.importorskip("sacrebleu")
    everything = read_evalset(data, "simulated", LP)
    write_texts(data, everything.systems, everything.n_segments)
    # The reference files say which systems are human.
    write_lines(data / "simulated/references/en-de.refB.txt", ["x"] * everything.n_segments)
    found = record(mine, "--corpus", "bleu", "--corpus", "chrf")
    lines = {line["name"]: line for line in found["standings"] if line["kind"] == "corpus"}
    assert sorted(lines) == ["BLEU (corpus)", "chrF (corpus)"]
    assert all(0.0 < line["spa"] < 1.0 and line["place"] is None for line in lines.values())
    assert "| BLEU (corpus)" in run(mine, "--corpus", "bleu")[1]


def test_corpus_level_metrics_need_the_texts(run, mine):
    code, _, err = run(mine, "--corpus", "bleu")
    assert code == 2
    assert "en-de.refA.txt: there is no such file; corpus-level metrics need the texts" in err


def test_documents_can_swap(record, run, mine, data):
    by_segment, by_document = record(mine), record(mine, "--by-document")
    assert by_document["standings"] != by_segment["standings"]
    assert by_segment["n_documents"] is None
    lines = (data / "simulated" / "documents" / "en-de.docs").read_text().splitlines()
    assert 1 < by_document["n_documents"] <= len(set(lines))
    assert f"PERM-INPUTS of {by_document['n_documents']} documents" in run(mine, "--by-document")[1]
    shutil.rmtree(data / "simulated" / "documents")
    code, _, err = run(mine, "--by-document")
    assert code == 2
    assert "needs the documents" in err


@pytest.fixture
def in_folder(capsys, data, stored, tmp_path):
    """Run the command on a plain folder of files."""
    folder = tmp_path / "folder"
    folder.mkdir()
    for path in stored[:4]:
        shutil.copy(path, folder)
    gold = data / "simulated" / "human-scores" / f"{LP}.mqm.seg.score"

    def run_command(*arguments):
        source = ["--gold", str(gold), "--metrics", str(folder)]
        code = main(["rank", *map(str, arguments), *source, "--resamples", "100"])
        return code, *capsys.readouterr()

    return run_command


def test_a_plain_folder_will_do(in_folder, mine, record, stored):
    code, out, err = in_folder(mine, "--json")
    assert code == 0, err
    found = json.loads(out)
    assert [line["kind"] for line in found["standings"]].count("new") == 1
    assert len(found["standings"]) == 5
    reasons = {entry["name"]: entry["reason"] for entry in found["left_out"]}
    assert reasons["refA"] == "no metric scores it"
    placed = {line["name"]: line["spa"] for line in found["standings"]}
    assert placed["my-metric"] == placed[stored[0].name.removesuffix(".seg.score")]


@pytest.mark.parametrize("option", ["--output", "--html"])
def test_files_of_a_plain_folder_are_not_written(in_folder, mine, data, tmp_path, option):
    gold = data / "simulated" / "human-scores" / f"{LP}.mqm.seg.score"
    other = sorted((tmp_path / "folder").iterdir())[0]
    for path, what in ((gold, "`--gold`"), (other, "a file of `--metrics`")):
        before = path.read_bytes()
        code, out, err = in_folder(mine, option, path)
        assert (code, out) == (2, "")
        assert err == f"sigcore: error: {path}: {what} and `{option}` must be different files.\n"
        assert path.read_bytes() == before


def test_a_file_of_the_folder_can_be_placed_and_ratings_be_a_file(in_folder, stored, data):
    second_ratings(data)
    human = data / "simulated" / "human-scores" / f"{LP}.two.seg.score"
    name = stored[1].name.removesuffix(".seg.score")
    found = json.loads(in_folder(name, "--human", human, "--json")[1])
    assert found["placements"][0]["standing"]["name"] == name
    assert "human: en-de.two" in [line["name"] for line in found["standings"]]


@pytest.mark.parametrize(
    ("option", "message"),
    [
        (["--primary-only"], "`--primary-only` needs `--testset`"),
        (["--no-human-systems"], "`--human-systems` needs `--testset`"),
        (["--corpus", "bleu"], "`--corpus` needs the texts of a test set"),
        (["--by-document"], "`--by-document` needs the documents"),
        (["--lp", "en-de"], "`--lp` needs `--testset`"),
        (["--no-reference-free"], "`--no-reference-free` needs `--testset`"),
    ],
)
def test_a_folder_has_no_facts(in_folder, mine, option, message):
    code, _, err = in_folder(mine, *option)
    assert code == 2
    assert message in err


def test_faults_of_the_users_file_have_file_and_line(run, mine):
    lines = mine.read_text().splitlines()
    mine.write_text("\n".join([*lines[:4], "broken line here", *lines[5:]]) + "\n")
    code, _, err = run(mine)
    assert code == 2
    assert "my-metric.seg.score:5: expected 2 columns" in err
    system = "refB"
    mine.write_text("".join(f"{x}\n" for x in lines if not x.startswith(f"{system}\t")))
    code, _, err = run(mine)
    assert code == 2
    place = f"my-metric.seg.score: no line has system {system!r}; "
    assert f"{place}expected a score wherever there is gold" in err


def without_a_score(path, systems, data):
    """Delete a score of the first system where there is gold; return its line."""
    gold = rows_of(data / "simulated" / "human-scores" / f"{LP}.mqm.seg.score")[systems[0]]
    segment = next(n for n, score in enumerate(gold) if score != "None")
    rows = rows_of(path)
    rows[systems[0]][segment] = "None"
    write_rows(path, rows)
    before = list(rows)[: list(rows).index(systems[0])]
    return sum(len(rows[name]) for name in before) + segment + 1


def test_a_missing_score_of_the_users_file_has_its_line(run, record, mine, data):
    line = without_a_score(mine, record(mine)["systems"], data)
    code, _, err = run(mine)
    assert code == 2
    assert f"my-metric.seg.score:{line}: expected a score wherever there is gold; 1 of 600" in err
    assert "`--max-missing` allows a share of gaps." in err
    assert record(mine, "--max-missing", "0.01")["n_segments"] == 119


def test_a_stored_metric_that_is_left_out_is_not_unknown(run, record, mine, stored, data):
    line = without_a_score(stored[1], record(mine)["systems"], data)
    name = stored[1].name.removesuffix("-refA.seg.score")
    code, _, err = run(mine, name)
    assert code == 2
    place = f"metric-scores/{LP}/{stored[1].name}:{line}: "
    assert f"{place}{name!r} is left out: expected a score wherever there is gold; 1 of 600" in err
    assert "`--max-missing` allows a share of gaps." in err
    names = [x["standing"]["name"] for x in record(name, "--max-missing", "0.01")["placements"]]
    assert names == [name]
    stored[1].write_text("".join(f"{x}\tNone\n" * 130 for x in record(mine)["systems"]))
    assert "`--max-missing`" not in run(mine, name)[2]


def test_a_stored_metric_that_was_not_selected_says_why(run, mine, data):
    (path, *_) = sorted((data / "simulated" / "metric-scores" / LP).glob("*-src.seg.score"))
    name = path.name.removesuffix("-src.seg.score")
    code, _, err = run(mine, name, "--no-reference-free")
    assert code == 2
    assert err == f"sigcore: error: {name!r} is left out: uses no reference.\n"


def test_a_bare_name_is_the_stored_metric_whatever_a_file_is_called(record, mine, stored):
    name = base_of(stored[0])
    own = shutil.copy(stored[1], mine.parent / f"{name}.seg.score")
    found = record(own, name)
    assert [x["standing"]["name"] for x in found["placements"]] == [f"{name} (own)", name]
    scores = {line["name"]: (line["kind"], line["spa"]) for line in found["standings"]}
    assert scores[name] == ("stored", scores[name][1])
    assert scores[f"{name} (own)"] == ("new", scores[base_of(stored[1])][1])
    assert scores[name] == ("stored", record(mine)["placements"][0]["standing"]["spa"])


def test_an_empty_name_is_refused(run, mine):
    for call in (
        [
            "",
        ],
        [mine, ""],
    ):
        code, _, err = run(*call)
        assert code == 2
        assert "a metric must be a file or a name; got an empty text" in err


@pytest.mark.parametrize("option", ["--metrics", "--data"])
def test_an_empty_folder_name_is_refused(capsys, mine, option):
    with pytest.raises(SystemExit, match="2"):
        main(["rank", str(mine), option, ""])
    message = f"argument {option}: expected the name of a folder; got an empty text"
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "name a file of scores"),
        (["nowhere.seg.score"], "'nowhere.seg.score' is neither a file nor one of the metrics"),
        (["--metrics", "x", "y"], "`--metrics` is for a plain folder"),
        (["nowhere", "--exclude", "nobody"], "`--exclude` must name a system"),
        (["nowhere", "--smaller-is-better"], "none was named"),
    ],
)
def test_bad_calls_say_what_was_expected(run, arguments, message):
    code, _, err = run(*arguments)
    assert code == 2
    assert message in err


def test_one_source_must_be_named(capsys, mine):
    assert main(["rank", str(mine)]) == 2
    assert "name a test set with `--testset` and `--lp`" in capsys.readouterr().err
    assert main(["rank", str(mine), "--testset", "wmt23"]) == 2
    assert "`--lp` must name the language pair" in capsys.readouterr().err


def test_test_sets_are_looked_for_where_they_are_put(capsys, mine, data, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    call = ["rank", str(mine), "--lp", LP, "--resamples", "20", "--testset"]
    assert main([*call, "wmt23"]) == 2
    assert "`sigcore data get wmt23 --to data/mtme`" in capsys.readouterr().err
    (data / "mtme").mkdir()
    shutil.move(data / "simulated", data / "mtme" / "simulated")
    assert main([*call, "simulated"]) == 0


def test_choices_are_those_of_the_library():
    assert command.ADJUSTMENTS == CORRECTIONS
    assert tuple(CORPUS_SCORES) == command.CORPUS


@pytest.mark.real_data
def test_a_copy_of_comet_ties_with_comet_on_wmt23(public_data, tmp_path, capsys):
    root = public_data / "mtme"
    path = root / "wmt23" / "metric-scores" / LP / "COMET-refA.seg.score"
    mine = shutil.copy(path, tmp_path / "mine.seg.score")
    arguments = ["--testset", "wmt23", "--lp", LP, "--data", str(root), "--no-reference-free"]
    assert main(["rank", str(mine), *arguments, "--resamples", "200", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    lines = {line["name"]: line for line in found["standings"]}
    for key in ("spa", "pa", "place", "cluster"):
        assert lines["mine"][key] == lines["COMET"][key]
    contests = {contest["other"]: contest for contest in found["placements"][0]["contests"]}
    assert contests["COMET"]["pvalue"] == 1.0
    assert contests["BLEU"]["outcome"] == "better"
    # Systems and segments of the SPA paper's Table 1.
    assert (found["n_systems"], found["n_segments"], len(lines)) == (12, 460, 26)
