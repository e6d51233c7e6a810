"""Rank a metric whose scores come with a form among those of a test set."""

import argparse
import warnings
from pathlib import Path

from sigcore.app.uploads import Upload, stored
from sigcore.cli._data_options import add_data_arguments
from sigcore.cli._metrics import read_metrics
from sigcore.errors import DegenerateDataWarning
from sigcore.meta.placement import place_metrics
from sigcore.provenance import software_versions
from sigcore.report.placement import render_placement

__all__ = ["rank_upload"]


def rank_upload(
    upload: Upload, root: Path, testset: str, language_pair: str, *, smaller_is_better: bool
) -> str:
    """Return the page that `sigcore rank --html` writes, with its defaults.

    Parameters
    ----------
    upload : Upload
        Scores of the metric.
    root : Path
        Folder of the test sets.
    testset, language_pair : str
        Among which metrics to place it.
    smaller_is_better : bool
        Turn the scores round.

    Raises
    ------
    InputError
        If the scores cannot be read or do not fit; files are named as the user named them.
    """
    parser = argparse.ArgumentParser()
    add_data_arguments(parser)
    arguments = parser.parse_args(
        [f"--data={root}", f"--testset={testset}", f"--lp={language_pair}"]
    )
    arguments.smaller_is_better = smaller_is_better
    with stored({"metric": upload}) as paths:
        data = read_metrics(arguments, [str(path) for path in paths])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", DegenerateDataWarning)
        ranking = place_metrics(data.evalset, data.names)
    return render_placement(
        data.evalset,
        ranking,
        left_out=data.left_out,
        notes=list(dict.fromkeys(str(warning.message) for warning in caught)),
        facts={upload.name: upload.sha256} | software_versions(),
    )
