"""What the scripts of the workflow share."""

import logging
from types import SimpleNamespace

import pytest

from scripts import _sources
from scripts._batches import part_of
from scripts._messages import describe_failures, describe_success
from scripts._runtime import run
from sigcore.errors import InputError


@pytest.mark.parametrize(("total", "count"), [(10, 3), (3, 5), (0, 1), (7, 7), (100, 1)])
def test_batches_give_every_item_once_and_in_order(total, count):
    parts = [part_of(range(total), f"{k}-of-{count}") for k in range(1, count + 1)]
    assert [item for part in parts for item in part] == list(range(total))
    assert max(map(len, parts)) - min(map(len, parts)) <= 1


def test_the_digest_follows_imports(tmp_path, monkeypatch):
    (tmp_path / "scripts").mkdir()
    (tmp_path / "sigcore").mkdir()
    (tmp_path / "sigcore/__init__.py").write_text("")
    (tmp_path / "sigcore/one.py").write_text("def f():\n    from sigcore.two import g\n")
    (tmp_path / "sigcore/two.py").write_text("g = 1\n")
    (tmp_path / "sigcore/other.py").write_text("h = 1\n")
    (tmp_path / "scripts/job.py").write_text("from sigcore import one\n")
    monkeypatch.setattr(_sources, "_ROOT", tmp_path)

    def digest():
        _sources._imported_files.cache_clear()
        return _sources.source_digest("job")

    first = digest()
    (tmp_path / "sigcore/other.py").write_text("h = 2\n")
    assert digest() == first
    (tmp_path / "sigcore/two.py").write_text("g = 2\n")
    second = digest()
    assert second != first
    (tmp_path / "sigcore/page.html").write_text("<p>")
    assert digest() != second


@pytest.fixture
def job(tmp_path):
    yield SimpleNamespace(log=[tmp_path / "logs/job.log"])
    logging.captureWarnings(False)
    for handler in list(logging.getLogger().handlers):
        if type(handler) is logging.FileHandler:
            logging.getLogger().removeHandler(handler)
            handler.close()


def fail(_):
    raise InputError("file.txt:3: expected a number")


def test_bad_input_ends_in_one_line_and_exit_code_1(job, capsys, tmp_path):
    with pytest.raises(SystemExit) as stopped:
        run(fail, job)
    assert stopped.value.code == 1
    assert capsys.readouterr().err == "sigcore: error: file.txt:3: expected a number\n"
    assert "file.txt:3: expected a number" in describe_failures(tmp_path, since=0.0)


def test_old_logs_are_not_blamed(tmp_path):
    (tmp_path / "old.log").write_text("ERROR: long ago\n")
    assert "long ago" not in describe_failures(tmp_path, since=9e12)


def test_success_names_only_a_report_that_was_written(tmp_path):
    report = tmp_path / "report.html"
    assert describe_success(report, since=0.0) == "Done."
    report.write_text("")
    assert str(report) in describe_success(report, since=0.0)


def test_success_names_the_page_of_a_single_target(tmp_path):
    page = tmp_path / "parsing/report.html"
    page.parent.mkdir()
    page.write_text("")
    assert str(page) in describe_success(tmp_path / "report.html", since=0.0)
