"""Reading a plain folder of score files."""

import numpy as np
import pytest

from sigcore.errors import DataFileError
from sigcore.evalset import Selection, select
from sigcore.io.score_folder import folder_facts, list_score_files, read_score_folder, score_name


def write(path, scores):
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [f"{system}\t{score}\n" for system, values in scores.items() for score in values]
    path.write_text("".join(lines))
    return path


@pytest.fixture
def folder(tmp_path):
    write(tmp_path / "metrics/BLEU-refA.seg.score", {"B": [1, 2, 3], "A": [4, 5, 6]})
    write(tmp_path / "metrics/other.tsv", {"A": [0, 0, 1], "B": [1, 0, 1]})
    write(tmp_path / "metrics/BLEU-refA.sys.score", {"A": [5], "B": [2]})
    write(tmp_path / "metrics/.hidden.seg.score", {"A": [5]})
    (tmp_path / "metrics/notes.md").write_text("no scores\n")
    write(tmp_path / "gold.seg.score", {"A": [1, "None", 2], "B": [3, 4, 5], "ref": [9, 9, 9]})
    return tmp_path


def test_names_are_those_of_the_files():
    assert score_name("x/my-metric.v2.seg.score") == "my-metric.v2"
    assert score_name("a.score") == score_name("a.tsv") == score_name("a.txt") == "a"
    assert score_name("plain") == "plain"


def test_system_level_and_hidden_files_are_passed_over(folder):
    names = [path.name for path in list_score_files(folder / "metrics")]
    assert names == ["BLEU-refA.seg.score", "other.tsv"]


def test_everything_is_aligned_by_name(folder):
    own = write(folder / "mine.seg.score", {"B": [7, 8, 9], "A": [1, 1, 1]})
    evalset = read_score_folder(
        folder / "gold.seg.score", folder / "metrics", extra_metric_files=[own]
    )
    assert (evalset.testset, evalset.language_pair, evalset.gold_name) == (
        "folder",
        "metrics",
        "gold",
    )
    assert evalset.systems == ("A", "B", "ref")
    assert evalset.metric_names == ("BLEU-refA", "mine", "other")
    assert [metric.extra for metric in evalset.metrics] == [False, True, False]
    np.testing.assert_array_equal(evalset.gold, [[1, np.nan, 2], [3, 4, 5], [9, 9, 9]])
    np.testing.assert_array_equal(evalset.scores[0][:2], [[4, 5, 6], [1, 2, 3]])
    assert np.isnan(evalset.scores[:, 2]).all()


def test_a_file_of_the_folder_can_be_the_users_own(folder):
    own = folder / "metrics" / "other.tsv"
    evalset = read_score_folder(
        folder / "gold.seg.score", folder / "metrics", extra_metric_files=[own]
    )
    assert evalset.metric_names == ("BLEU-refA", "other")
    assert evalset.metrics[1].extra


def test_the_facts_leave_everything_in(folder):
    (folder / "gold.seg.score").write_text("A\t1\nA\t2\nA\t3\nB\t3\nB\t2\nB\t1\n")
    evalset = read_score_folder(folder / "gold.seg.score", folder / "metrics")
    chosen, left_out = select(evalset, Selection(), folder_facts(evalset))
    assert left_out == ()
    assert chosen.metric_names == evalset.metric_names


def test_faults_are_named_with_file_and_line(folder):
    gold = folder / "gold.seg.score"
    with pytest.raises(DataFileError, match=r"nowhere: there is no such folder"):
        read_score_folder(gold, folder / "nowhere")
    (folder / "empty").mkdir()
    with pytest.raises(DataFileError, match=r"empty: there is no score file in it"):
        read_score_folder(gold, folder / "empty")
    twin = write(folder / "more/other.seg.score", {"A": [1, 1, 1], "B": [1, 1, 1]})
    with pytest.raises(DataFileError, match=r"is a second file of other, beside .*other\.tsv"):
        read_score_folder(gold, folder / "metrics", extra_metric_files=[twin])
    short = write(folder / "short.seg.score", {"A": [1, 1, 1], "B": [1, 1]})
    with pytest.raises(DataFileError, match=r"short\.seg\.score:5: expected 3 scores"):
        read_score_folder(gold, folder / "metrics", extra_metric_files=[short])
