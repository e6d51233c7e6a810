"""`sigcore data` and `sigcore simulate` as a user types them."""

import functools
import http.server
import json
import tarfile
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from sigcore.cli.main import main
from sigcore.io.download import ARCHIVE_NAME
from sigcore.simulate import default_spec, scale_spec, write_evalset_files


@pytest.fixture(autouse=True)
def only_these_commands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sigcore.cli.main.SUBCOMMANDS", ("data", "simulate"))
    monkeypatch.setenv("no_proxy", "*")


@pytest.fixture(scope="module")
def simulated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("simulated")
    spec = scale_spec(default_spec(), 0.05)
    write_evalset_files(replace(spec, pairs=spec.pairs[2:]), root)
    return root


@pytest.fixture
def data(simulated: Path, tmp_path: Path) -> Path:
    """A copy of the simulated set that a test may damage."""
    for path in simulated.rglob("*"):
        target = tmp_path / "data" / path.relative_to(simulated)
        if path.is_file():
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(path.read_bytes())
    return tmp_path / "data"


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        return


@pytest.fixture
def url(simulated: Path, tmp_path: Path) -> Iterator[str]:
    """Address of an archive in which the simulated set is called wmt22."""
    served = tmp_path / "served"
    served.mkdir()
    with tarfile.open(served / "archive.tgz", "w:gz") as tar:
        tar.add(simulated / "simulated", "mt-metrics-eval-v2/wmt22")
    handler = functools.partial(QuietHandler, directory=str(served))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}/archive.tgz"
        server.shutdown()
        thread.join()


def files(root: Path) -> list[str]:
    return sorted(path.name for path in root.iterdir())


def table(output: str) -> list[str]:
    """Return the rows of a printed table, cells joined by single blanks."""
    return [" ".join(line.replace("|", " ").split()) for line in output.splitlines()]


# --- simulate ---------------------------------------------------------------------------------


def test_simulate_says_what_it_wrote(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", str(tmp_path / "out"), "--scale", "0.01", "--name", "demo"]) == 0
    output = capsys.readouterr().out
    assert "demo: 77 files" in output
    assert "en-de: 14 systems x 13 segments x 21 metrics" in output
    assert files(tmp_path / "out") == ["demo"]


def test_simulate_does_not_overwrite_unless_forced(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = data / "simulated" / "mine.txt"
    mine.write_text("keep me")
    small = ["simulate", str(data), "--scale", "0.01", "--pairs", "he-en"]
    assert main(small) == 2
    assert "exists already and is not empty; --force replaces it" in capsys.readouterr().err
    assert mine.exists()
    assert main([*small, "--force"]) == 0
    assert not mine.exists()
    assert files(data) == ["simulated"]


def test_simulate_leaves_nothing_behind_on_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr("sigcore.simulate.write_text", fail)
    assert main(["simulate", str(tmp_path / "out")]) == 2
    assert capsys.readouterr().err == "sigcore: error: disk full\n"
    assert files(tmp_path) == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--pairs", "xx-yy"], "`--pairs` must be of en-de, zh-en, he-en; got 'xx-yy'"),
        (["--seed", "-1"], "`seed` must be at least 0"),
        (["--scale", "0"], "`--scale` must be positive and at most 100; got 0."),
        (["--scale", "nan"], "`--scale` must be positive"),
        (["--name", "a/b"], "cannot be the name of a test set"),
        (["--name", "a b"], "cannot be the name of a test set"),
        (["--name", ""], "cannot be the name of a test set"),
    ],
)
def test_simulate_refuses_bad_options(
    tmp_path: Path, options: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["simulate", str(tmp_path / "out"), *options]) == 2
    assert message in capsys.readouterr().err
    assert files(tmp_path) == []


@pytest.mark.parametrize(
    "command", [["simulate"], ["data", "get", "wmt22", "--url", "http://127.0.0.1:9/", "--to"]]
)
@pytest.mark.parametrize("inside", ["", "inside"])
def test_a_file_in_place_of_the_folder_is_named(
    tmp_path: Path, command: list[str], inside: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("mine")
    assert main([*command, str(tmp_path / "file" / inside)]) == 2
    message = capsys.readouterr().err.splitlines()[-1]
    assert message.startswith(f"sigcore: error: {tmp_path / 'file'}")
    assert message.endswith("a file is in the way; the name of a folder was expected.")
    assert (tmp_path / "file").read_text() == "mine"


# --- data get ---------------------------------------------------------------------------------


def test_get_downloads_unpacks_and_removes_the_archive(
    tmp_path: Path, url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert main(["data", "get", "wmt22", "--to", str(out), "--url", url]) == 0
    assert files(out) == [f"{ARCHIVE_NAME}.sha256", "wmt22"]
    assert "wmt22: 29 files" in capsys.readouterr().out
    # A second time there is nothing to do.
    assert main(["data", "get", "wmt22", "--to", str(out), "--url", "http://127.0.0.1:1/"]) == 0
    assert "is there already; --force gets it anew" in capsys.readouterr().out


def test_get_keeps_the_archive_when_asked_and_uses_it_again(
    tmp_path: Path, url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    get = ["data", "get", "wmt22", "--to", str(out), "--url"]
    assert main([*get, url, "--keep-archive"]) == 0
    assert files(out) == [ARCHIVE_NAME, f"{ARCHIVE_NAME}.sha256", "wmt22"]
    assert main([*get, "http://127.0.0.1:1/", "--force"]) == 0
    assert files(out) == [ARCHIVE_NAME, f"{ARCHIVE_NAME}.sha256", "wmt22"]


def test_get_of_a_test_set_that_is_not_there_lists_what_is(
    tmp_path: Path, url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert main(["data", "get", "wtm22", "--to", str(out), "--url", url]) == 2
    error = capsys.readouterr().err
    assert "note: wtm22 is not one of the known test sets (wmt19," in error
    assert "has no test set wtm22; it has wmt22" in error
    assert "is kept for another try" in error


def test_get_with_nothing_to_answer_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sigcore.io.download.time.sleep", lambda _: None)
    out = tmp_path / "out"
    assert main(["data", "get", "wmt22", "--to", str(out), "--url", "http://127.0.0.1:1/x"]) == 2
    assert "the download failed (http://127.0.0.1:1/x: " in capsys.readouterr().err
    assert list(out.iterdir()) == []


def test_get_throws_a_damaged_archive_away_and_takes_a_sound_one_afterwards(
    tmp_path: Path, url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    archive = tmp_path / "served/archive.tgz"
    sound = archive.read_bytes()
    archive.write_bytes(sound[: len(sound) // 2] + b"x" * 100)
    get = ["data", "get", "wmt22", "--to", str(out), "--url", url]
    assert main(get) == 2
    error = capsys.readouterr().err
    assert f"{ARCHIVE_NAME}: the archive is damaged or cut short" in error
    assert "It was deleted; run again to download it anew." in error
    assert list(out.iterdir()) == []
    archive.write_bytes(sound)
    assert main(get) == 0
    assert files(out) == [f"{ARCHIVE_NAME}.sha256", "wmt22"]


def test_get_tries_the_next_address_when_an_archive_is_damaged(
    tmp_path: Path, url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    (tmp_path / "served/bad.tgz").write_bytes(b"<html>not found</html>")
    bad = url.replace("archive", "bad")
    assert main(["data", "get", "wmt22", "--to", str(out), "--url", bad, "--url", url]) == 0
    assert f"It was deleted; trying {url}." in capsys.readouterr().err
    assert files(out) == [f"{ARCHIVE_NAME}.sha256", "wmt22"]


def test_get_leaves_a_damaged_archive_of_the_user_alone(
    tmp_path: Path, url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / ARCHIVE_NAME).write_bytes(b"not an archive")
    assert main(["data", "get", "wmt22", "--to", str(out), "--url", url]) == 2
    assert f"Delete it and {ARCHIVE_NAME}.sha256" in capsys.readouterr().err
    assert files(out) == [ARCHIVE_NAME]


# --- data list --------------------------------------------------------------------------------


def test_list_names_test_sets_with_gold_and_reference(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["data", "list"]) == 0
    rows = table(capsys.readouterr().out)
    assert "wmt22 en-de mqm refA yes" in rows
    assert not any(row.startswith("wmt22 cs-en") for row in rows)
    assert main(["data", "list", "--all"]) == 0
    rows = table(capsys.readouterr().out)
    assert any(row.startswith("wmt22 cs-en") for row in rows)


def test_list_marks_what_a_directory_has(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (data / "unknown" / "metric-scores" / "aa-bb").mkdir(parents=True)
    assert main(["data", "list", str(data)]) == 0
    rows = table(capsys.readouterr().out)
    assert "simulated he-en mqm refA yes yes" in rows
    assert "unknown aa-bb ? ? yes" in rows
    assert "wmt22 en-de mqm refA yes" in rows
    assert main(["data", "list", str(data / "nowhere")]) == 2


# --- data check -------------------------------------------------------------------------------


def test_check_of_sound_data_prints_a_table_and_exits_with_0(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["data", "check", str(data)]) == 0
    output = capsys.readouterr().out
    assert "## simulated he-en: 12 systems, 23 segments, 25 metrics, gold mqm" in output
    assert "| scores" in output
    assert "SimTwin-refA.seg.score: The scores are those of SimEmbed.v2-refA." in output
    assert output.endswith("1 language pair checked: 0 errors, 1 warning, 2 notes.\n")
    widths = {len(line) for line in output.splitlines() if line.startswith("|")}
    assert len(widths) == 1


def test_check_of_faulty_data_lists_all_faults_and_exits_with_1(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    directory = data / "simulated" / "metric-scores" / "he-en"
    (directory / "SimRandom-src.seg.score").write_text("")
    with (directory / "SimTwin-refA.seg.score").open("a") as file:
        file.write("Sim-Oak\toops\n")
    # The directory of the test set itself does as well.
    assert main(["data", "check", str(data / "simulated"), "--brief"]) == 1
    output = capsys.readouterr().out
    place = "simulated/metric-scores/he-en"
    assert f"- error: {place}/SimRandom-src.seg.score:1: is empty." in output
    assert f"- error: {place}/SimTwin-refA.seg.score:393: expected a finite number" in output
    assert "| scores" not in output
    assert "2 errors" in output


def test_check_as_json_is_json_without_nan(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["data", "check", str(data), "--json"]) == 0

    def refuse(constant: str) -> None:
        raise AssertionError(constant)

    (audit,) = json.loads(capsys.readouterr().out, parse_constant=refuse)
    assert audit["gold"]["grid_step"] == pytest.approx(0.1)
    assert audit["gold"]["system_correlation"] is None
    assert [finding["severity"] for finding in audit["findings"]] == ["warning", "info", "info"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--testset", "wmt99"], "has no test set wmt99; it has simulated"),
        (["--lp", "xx-yy"], "has no language pair xx-yy; it has he-en"),
    ],
)
def test_check_refuses_names_that_are_not_there(
    data: Path, options: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["data", "check", str(data), *options]) == 2
    assert message in capsys.readouterr().err


def test_check_of_a_directory_without_test_sets(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["data", "check", str(tmp_path)]) == 2
    assert "has no test set: no directory in it has human-scores" in capsys.readouterr().err
