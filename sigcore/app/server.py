"""The web application of `sigcore app`: two forms, and the pages that the commands write.

It keeps nothing between requests, and reads no file but those that come with a form and those of
the folder it was started with. It answers only requests to a name of this machine, so that no
other page can reach it by a name of its own, and takes forms only from its own pages.
"""

import socket
import threading
from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import flask
from werkzeug.exceptions import HTTPException
from werkzeug.serving import BaseWSGIServer, make_server

import sigcore
from sigcore.app.comparison import compare_uploads
from sigcore.app.fields import GROUPS
from sigcore.app.ranking import rank_upload
from sigcore.app.uploads import Upload
from sigcore.errors import InputError
from sigcore.io.data_folder import find_evaluations
from sigcore.report.page import page_style

__all__ = ["HOST", "MAX_BYTES", "create_app", "listen"]

HOST = "127.0.0.1"
MAX_BYTES = 32 * 2**20
_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'self'; "
        "frame-ancestors 'none'; base-uri 'none'"
    ),
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}
_TITLES = {"compare": "Compare two systems", "rank": "Rank a metric"}

Answer = str | tuple[str, int]


def create_app(data: Path | None = None) -> flask.Flask:
    """Make the application.

    Parameters
    ----------
    data : Path, optional
        Folder of the test sets among whose metrics one can be ranked.

    Returns
    -------
    flask.Flask
        GET shows a form, POST the result, or the form again with what is wrong.
    """
    app = flask.Flask("sigcore.app", static_folder=None)
    app.config.update(
        DATA=data,
        MAX_CONTENT_LENGTH=MAX_BYTES,
        MAX_FORM_MEMORY_SIZE=MAX_BYTES,
        TRUSTED_HOSTS=[HOST, "localhost"],
    )
    app.before_request(_refuse_other_pages)
    app.after_request(_protect)
    app.register_error_handler(HTTPException, _explain)
    app.add_url_rule("/", "compare", lambda: _form("compare"))
    app.add_url_rule("/rank", "rank", lambda: _form("rank"))
    # Styles of figures are global to matplotlib, so the work is done one by one.
    lock = threading.Lock()
    app.add_url_rule("/", "compared", lambda: _answer("compare", _compare, lock), methods=["POST"])
    app.add_url_rule("/rank", "ranked", lambda: _answer("rank", _rank, lock), methods=["POST"])
    return app


def listen(port: int, data: Path | None = None) -> BaseWSGIServer:
    """Open the port on this machine's loopback address and return the server, not yet serving.

    Parameters
    ----------
    port : int
        Its number; 0 takes a free one.
    data : Path, optional
        As in `create_app`.

    Raises
    ------
    OSError
        If the port is taken.
    """
    # Given only the number of a port that is taken, the server would end the process. It copies
    # the socket it is given.
    with socket.create_server((HOST, port)) as opened:
        return make_server(HOST, port, create_app(data), threaded=True, fd=opened.fileno())


def _answer(form: str, work: Callable[[], str], lock: threading.Lock) -> Answer:
    """Return the result, or the form with what is wrong."""
    try:
        with lock:
            return work()
    except InputError as error:
        return _form(form, str(error)), HTTPStatus.UNPROCESSABLE_ENTITY


def _compare() -> str:
    uploads = {system: _upload(system, key) for system, key in (("A", "a"), ("B", "b"))}
    return compare_uploads(uploads, flask.request.form)


def _rank() -> str:
    form, root = flask.request.form, flask.current_app.config["DATA"]
    upload = _upload("metric", "metric")
    if upload is None:
        raise InputError("Choose the file with the scores of your metric.")
    # Only what the form offers: nothing that was sent becomes part of a path.
    offered = {f"{testset} {pair}": (testset, pair) for testset, pair in _evaluations()}
    wanted = form.get("evaluation", "")
    if wanted not in offered:
        raise InputError(f"There is no evaluation set {wanted!r}; choose one of the list.")
    return rank_upload(
        upload, root, *offered[wanted], smaller_is_better="smaller_is_better" in form
    )


def _evaluations() -> list[tuple[str, str]]:
    root = flask.current_app.config["DATA"]
    return find_evaluations(root) if root is not None else []


def _upload(what: str, key: str) -> Upload | None:
    """Return what came in the fields of a form that end in `key`."""
    file = flask.request.files.get(f"file_{key}")
    return Upload.from_form(
        what,
        flask.request.form.get(f"scores_{key}", ""),
        (file.filename or "") if file else "",
        file.read() if file else b"",
    )


def _form(name: str, error: str = "", *, keep: bool = True) -> str:
    """Return a form with what was filled in, but for files, which browsers do not give back."""
    filled: Any = flask.request.form if keep else {}
    hidden = [field for title in list(GROUPS)[1:] for field in GROUPS[title]]
    return flask.render_template(
        f"{name}.html",
        name=name,
        titles=_TITLES,
        groups=GROUPS,
        evaluations=_evaluations() if name == "rank" else [],
        filled=filled,
        changed=any(filled.get(field.name, field.default) != field.default for field in hidden),
        files=keep and any(file.filename for file in flask.request.files.values()),
        error=error,
        style=page_style(),
        megabytes=MAX_BYTES // 2**20,
        sigcore_version=sigcore.__version__,
    )


def _refuse_other_pages() -> None:
    origin = flask.request.headers.get("Origin")
    if origin is not None and urlsplit(origin).netloc != flask.request.host:
        flask.abort(HTTPStatus.FORBIDDEN, "The form must come from the app's own page.")


def _protect(response: flask.Response) -> flask.Response:
    response.headers.update(_HEADERS)
    return response


def _explain(error: HTTPException) -> Answer:
    """Say in a page what is wrong with a request."""
    code = error.code or HTTPStatus.INTERNAL_SERVER_ERROR
    if code == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
        _drain()
        name = "rank" if flask.request.path == "/rank" else "compare"
        message = f"The scores are too large: at most {MAX_BYTES // 2**20} MB can be sent at once."
        return _form(name, message, keep=False), code
    message = error.description or ""
    if code == HTTPStatus.INTERNAL_SERVER_ERROR:
        message = "This is a fault of sigcore; the terminal says more."
    page = flask.render_template(
        "problem.html",
        name="",
        titles=_TITLES,
        title=f"{code} {error.name}",
        message=message,
        style=page_style(),
        sigcore_version=sigcore.__version__,
    )
    return page, code


def _drain() -> None:
    """Read what is still coming: a browser shows the answer only once it has sent everything."""
    left = flask.request.content_length or 0
    stream = flask.request.environ["wsgi.input"]
    while left > 0 and (chunk := stream.read(min(left, 2**20))):
        left -= len(chunk)
