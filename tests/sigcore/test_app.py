"""The forms and pages of `sigcore app`, and what it refuses."""

import dataclasses
import re
import threading
import urllib.request
from io import BytesIO

import numpy as np
import pytest

from sigcore.app.fields import GROUPS, MOST, read_settings
from sigcore.app.server import HOST, MAX_BYTES, create_app, listen
from sigcore.app.uploads import Upload, stored
from sigcore.cli.main import main
from sigcore.comparison.options import ComparisonOptions
from sigcore.errors import DataFileError, InputError
from sigcore.simulate import SimulatedPair, SimulationSpec, write_evalset_files

RNG = np.random.default_rng(5)
U, V = RNG.normal([[0.3], [0.0]], 1.0, size=(2, 40)).round(3)
QUICK = {"power_method": "none", "n_resamples": "200"}
FIELDS = [field for fields in GROUPS.values() for field in fields]


def lines(values):
    return "".join(f"{value}\n" for value in values)


def file(content, name):
    return BytesIO(content if isinstance(content, bytes) else content.encode()), name


def message(response):
    """Return what the form says is wrong."""
    found = re.search(r'role="alert".*?</b> (.*?)</div>', response.text, re.S)
    return found.group(1) if found else ""


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    root = tmp_path_factory.mktemp("data")
    pair = SimulatedPair("en-de", 4, 40, 30, 4)
    write_evalset_files(SimulationSpec("simulated", 0, (pair,)), root)
    return root


@pytest.fixture(scope="module")
def scores(data):
    """Scores of a stored metric."""
    folder = data / "simulated/metric-scores/en-de"
    return sorted(folder.glob("*-refA.seg.score"))[0].read_bytes()


@pytest.fixture(scope="module")
def client(data):
    return create_app(data).test_client()


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    """The folder for temporary files, empty before and after."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    yield folder
    assert list(folder.iterdir()) == []


def test_the_forms_ask_for_every_setting_and_every_evaluation_set(client):
    page = client.get("/").text
    for field in FIELDS:
        assert f'name="{field.name}"' in page
    assert {field.name for field in FIELDS} == {
        field.name for field in dataclasses.fields(ComparisonOptions)
    }
    assert '<option value="simulated en-de">' in client.get("/rank").text


def test_an_untouched_form_has_the_defaults_of_the_command():
    filled = {field.name: field.default for field in FIELDS}
    assert read_settings(filled) == read_settings({}) == ComparisonOptions()


@pytest.mark.parametrize("field", FIELDS, ids=lambda field: field.name)
def test_every_choice_of_the_form_is_one_of_the_command(field):
    for value in field.choices:
        read_settings({field.name: value})


def test_two_files_give_the_page_of_the_command(client, tmp_path, temporary, capsys):
    paths = [tmp_path / name for name in ("first.txt", "second.txt")]
    for path, values in zip(paths, (U, V), strict=True):
        path.write_text(lines(values))
    form = QUICK | {"file_a": file(lines(U), "first.txt"), "file_b": file(lines(V), "second.txt")}
    response = client.post("/", data=form)
    assert response.status_code == 200
    page = tmp_path / "page.html"
    arguments = [
        *map(str, paths),
        "--html",
        str(page),
        "--power-method",
        "none",
        "--n-resamples",
        "200",
    ]
    assert main(["compare", *arguments]) == 0

    def without_provenance(text):
        return text[: text.index('id="provenance"')]

    assert without_provenance(response.text) == without_provenance(page.read_text())
    assert "A: first.txt" in response.text


def test_scores_may_be_pasted_and_names_are_escaped(client, temporary):
    form = QUICK | {"scores_a": lines(U), "scores_b": lines(V), "name_a": "<script>alert(1)"}
    page = client.post("/", data=form).text
    assert "&lt;script&gt;alert(1)" in page
    assert "<script" not in page


def test_one_file_may_have_both_columns(client, temporary):
    table = "item,mine,theirs\n" + "".join(
        f"{i},{u},{v}\n" for i, (u, v) in enumerate(zip(U, V, strict=True))
    )
    form = QUICK | {"file_a": file(table, "scores.csv"), "columns": "mine, theirs"}
    assert "Comparison of mine and theirs" in client.post("/", data=form).text


WRONG = {
    "nothing": ({}, "Give the scores of A and B"),
    "text in a score": (
        {"file_a": ("1\n2\nx\n", "a.txt"), "file_b": ("1\n2\n3\n", "b.txt")},
        "a.txt, line 3: ",
    ),
    "pasted text": ({"scores_a": "1\n2\nx\n", "scores_b": "1\n2\n3\n"}, "Scores of A, line 3: "),
    "both ways": ({"scores_a": "1\n", "file_a": ("1\n", "a.txt")}, "not both"),
    "no table": ({"file_a": (b"\x00\xff\xfe" * 50, "a.parquet")}, "a.parquet"),
    "no text": ({"file_a": (b"\xff\xfe\x00" * 50, "a.txt")}, "a.txt"),
    "an empty file": ({"file_a": ("", "a.txt"), "file_b": ("1\n", "b.txt")}, "a.txt"),
    "other lengths": ({"scores_a": "1\n2\n3\n", "scores_b": "1\n2\n"}, "B"),
    "a number": ({"alpha": "much"}, "Level of the tests: expected a number"),
    "a range": ({"alpha": "7"}, "alpha"),
    "too much": ({"n_resamples": "9" * 12}, f"at most {MOST['n_resamples']:,} here"),
    "a choice": ({"alternative": "<i>"}, "alternative"),
    "numbers": ({"power_sizes": "10 x"}, "Numbers of pairs: expected a whole number"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_said_above_the_form(client, temporary, case):
    fields, words = WRONG[case]
    form = {"name_a": "kept & shown"} | {
        name: file(*value) if isinstance(value, tuple) else value for name, value in fields.items()
    }
    response = client.post("/", data=form)
    assert response.status_code == 422
    assert words in message(response)
    assert 'value="kept &amp; shown"' in response.text
    assert str(temporary) not in response.text
    assert "Traceback" not in response.text
    assert "<i>" not in response.text


def test_a_metric_is_ranked_as_the_command_does(client, data, scores, tmp_path, temporary, capsys):
    path = tmp_path / "mine-refA.seg.score"
    path.write_bytes(scores)
    form = {"evaluation": "simulated en-de", "file_metric": file(scores, "mine-refA.seg.score")}
    response = client.post("/rank", data=form)
    assert response.status_code == 200, message(response)
    page = tmp_path / "rank.html"
    where = ["--testset", "simulated", "--lp", "en-de", "--data", str(data)]
    assert main(["rank", str(path), *where, "--html", str(page)]) == 0
    mine = re.search(r'<section id="metric-1">.*?</section>', response.text, re.S).group()
    assert mine in page.read_text()
    assert "<h1>mine among 5 metrics</h1>" in response.text
    # The sentences of the page are those of the text.
    text = capsys.readouterr().out
    assert re.search(r"Place \d of 5, cluster \d of \d\.", text).group() in mine


def test_scores_may_be_turned_round(client, scores, temporary):
    form = {"evaluation": "simulated en-de", "smaller_is_better": "1"}
    page = client.post("/rank", data=form | {"file_metric": file(scores, "mine")}).text
    assert "It orders systems against people" in page


@pytest.mark.parametrize(
    ("evaluation", "content", "words"),
    [
        ("simulated en-de", None, "Choose the file"),
        ("simulated en-de", b"", "mine.txt, line 1: "),
        ("simulated en-de", b"a\t1\n", "mine.txt, line 1: expected 40 scores"),
        ("../simulated en-de", b"a\t1\n", "There is no evaluation set"),
        ("simulated ../../en-de", b"a\t1\n", "There is no evaluation set"),
        ("", b"a\t1\n", "There is no evaluation set"),
    ],
)
def test_what_cannot_be_ranked_is_named(client, temporary, evaluation, content, words):
    form = {"evaluation": evaluation}
    if content is not None:
        form["file_metric"] = file(content, "mine.txt")
    response = client.post("/rank", data=form)
    assert response.status_code == 422
    assert words in message(response)
    assert str(temporary) not in response.text


def test_without_test_sets_the_app_says_how_to_get_one():
    client = create_app().test_client()
    assert "sigcore data get" in client.get("/rank").text
    response = client.post("/rank", data={"file_metric": file("a\t1\n", "m"), "evaluation": "x y"})
    assert response.status_code == 422


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("../../etc/passwd", "passwd"),
        ("C:\\scores\\a.tsv", "a.tsv"),
        ("/", "A"),
        ("..", "A"),
        ("a\x00\n\x1bb.csv", "ab.csv"),
        ("é" * 100 + ".parquet", "é" * 30 + "é" * 22 + ".parquet"),
    ],
)
def test_names_of_files_lead_nowhere(name, kept, temporary):
    upload = Upload.from_form("A", "", name, b"1\n")
    assert upload.name == kept
    with stored({"A": upload}) as (path,):
        assert path.read_bytes() == b"1\n"
        assert path.parent.parent.parent == temporary


def test_errors_inside_name_files_as_the_user_does(temporary):
    upload = Upload("a.txt", b"1\n")
    with (
        pytest.raises(InputError, match=r"^a\.txt, line 7: odd\.$"),
        stored({"A": upload}) as (path,),
    ):
        raise DataFileError(path, "odd.", line=7)


@pytest.mark.parametrize("origin", ["http://elsewhere.example", "null", "http://localhost:1"])
def test_forms_of_other_pages_are_refused(client, origin):
    response = client.post("/", data=QUICK, headers={"Origin": origin})
    assert response.status_code == 403
    assert "The form must come from the app" in response.text


def test_other_names_of_this_machine_are_refused(client):
    response = client.get("/", headers={"Host": "elsewhere.example"})
    assert response.status_code == 400
    assert client.get("/", headers={"Host": "localhost:8000"}).status_code == 200


def test_pages_may_load_and_run_nothing(client):
    for path in ("/", "/rank", "/nowhere"):
        response = client.get(path)
        assert response.headers["Content-Security-Policy"].startswith("default-src 'none';")
        assert "script-src" not in response.headers["Content-Security-Policy"]
        assert response.headers["X-Content-Type-Options"] == "nosniff"
        assert "<script" not in response.text


def test_a_wrong_address_has_a_page_too(client):
    response = client.get("/nowhere")
    assert response.status_code == 404
    assert "<h1>404 Not Found</h1>" in response.text


def test_a_fault_shows_no_traceback(client, monkeypatch):
    def fail(*_):
        raise ZeroDivisionError("secret")

    monkeypatch.setattr("sigcore.app.server.compare_uploads", fail)
    response = client.post("/", data=QUICK)
    assert response.status_code == 500
    assert "This is a fault of sigcore" in response.text
    assert "secret" not in response.text


def test_large_files_are_refused(client):
    response = client.post(
        "/rank",
        input_stream=BytesIO(b"1" * (MAX_BYTES + 1)),
        content_length=MAX_BYTES + 1,
        content_type="multipart/form-data; boundary=1",
    )
    assert response.status_code == 413
    assert "The scores are too large: at most 32 MB" in message(response)


def test_it_listens_on_this_machine_only():
    with listen(0) as server:
        assert server.host == HOST == "127.0.0.1"
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            with urllib.request.urlopen(f"http://{HOST}:{server.port}/", timeout=30) as page:
                assert b"Compare two systems" in page.read()
        finally:
            server.shutdown()
            thread.join()


def test_a_port_in_use_and_a_missing_folder_are_named(capsys):
    with listen(0) as server:
        assert main(["app", "--port", str(server.port)]) != 0
    assert f"port {server.port} cannot be opened" in capsys.readouterr().err
    assert main(["app", "--data", "nowhere"]) != 0
    assert "There is no directory nowhere" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["app", "--port", "70000"])


def test_without_flask_the_command_says_what_to_install(monkeypatch, capsys):
    monkeypatch.setattr("sigcore.cli.app.find_spec", lambda _: None)
    assert main(["app"]) != 0
    assert "pip install 'sigcore[app]'" in capsys.readouterr().err
