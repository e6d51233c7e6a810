"""Compare two systems whose scores come with a form."""

from collections.abc import Mapping

from sigcore.app.fields import read_settings
from sigcore.app.uploads import Upload, stored
from sigcore.comparison.compare import compare
from sigcore.errors import InputError
from sigcore.io.paired import read_pair
from sigcore.provenance import software_versions
from sigcore.report.comparison import comparison_page

__all__ = ["compare_uploads"]


def compare_uploads(uploads: Mapping[str, Upload | None], form: Mapping[str, str]) -> str:
    """Return the page that `sigcore compare --html` writes.

    Parameters
    ----------
    uploads : mapping of "A" and "B" to Upload or None
        What came for each. Scores of both may stand in the two columns of one.
    form : mapping of str to str
        The settings; those that are missing or empty have their defaults.

    Raises
    ------
    InputError
        If a setting is wrong, there are no scores, or they cannot be read.
    """
    options = read_settings(form)
    given = {system: upload for system, upload in uploads.items() if upload is not None}
    if not given:
        raise InputError("Give the scores of A and B: paste them or choose files.")
    columns = [name.strip() for name in form.get("columns", "").split(",") if name.strip()]
    with stored(given) as paths:
        pair = read_pair(*paths, columns=columns, drop_missing="drop_missing" in form)
    first, second = (
        form.get(f"name_{key}", "").strip() or name
        for key, name in zip("ab", pair.names, strict=True)
    )
    comparison = compare(
        pair.u,
        pair.v,
        names=(first, second),
        n_missing=pair.n_missing,
        notes=pair.notes,
        options=options,
    )
    facts = {f"{system}: {upload.name}": upload.sha256 for system, upload in given.items()}
    return comparison_page(comparison, facts=facts | software_versions())
