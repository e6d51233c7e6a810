"""What the key `bayes` of a configuration asks for, known before anything runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from scripts._batches import batch_names
from scripts._names import plain_name
from sigcore.bayes.corpus_simulation import simulate_corpus
from sigcore.bayes.crossvalidation import CrfModel
from sigcore.bayes.published import TASKS
from sigcore.bayes.tagger import TaggerSettings, check_columns
from sigcore.errors import InputError
from sigcore.io.commands import CommandModel, command_files
from sigcore.io.corpora import count_columns
from sigcore.provenance import file_sha256

__all__ = ["CORPUS", "BayesPlan", "model_of", "plan_bayes", "program_digests"]

# Name of the corpus of the run among the tasks.
CORPUS = "corpus"


@dataclass(frozen=True, slots=True)
class BayesPlan:
    """Files and jobs of the Bayes test.

    Attributes
    ----------
    corpus : str
        The corpus to train on and validate on; empty if there is none.
    models : tuple of str
        Names of the models, the baseline first.
    batches : tuple of str
        Batches of folds, as ``1-of-2``.
    tasks : mapping of str to str
        Tables of fold counts: of the corpus, and those of the configuration.
    paper : bool
        Whether the tables of the paper are to be written.
    """

    corpus: str
    models: tuple[str, ...]
    batches: tuple[str, ...]
    tasks: Mapping[str, str]
    paper: bool


def plan_bayes(config: Mapping[str, Any], folder: str) -> BayesPlan:
    """Look up what a validated configuration names.

    Parameters
    ----------
    config : mapping
        The configuration, defaults filled in.
    folder : str
        Where the results go.

    Returns
    -------
    BayesPlan
        Empty without the key `bayes`.

    Raises
    ------
    InputError
        If a file does not exist, there is neither a corpus nor a table of fold counts, a command
        cannot be that of a model, or the corpus lacks columns of the tagger.
    """
    settings = config.get("bayes")
    if settings is None:
        return BayesPlan("", (), (), {}, False)
    corpus = _corpus(settings, folder)
    tasks = {CORPUS: f"{folder}/folds.tsv"} if corpus else {}
    for task, name in settings["folds"].items():
        tasks[task] = _existing(name, f"bayes.folds.{task}")
    if not tasks:
        raise InputError("configuration: `bayes` must have `corpus` or `folds`.")
    missing = [name for name in TASKS if name not in tasks]
    if settings["paper"] and missing:
        raise InputError(
            "configuration: `bayes.paper` needs the published counts of CWS, NER and ORG in "
            f"`bayes.folds`; {', '.join(missing)} is missing."
        )
    if corpus:
        _check_models(settings)
    n_folds = 2 * settings["repetitions"]
    return BayesPlan(
        corpus=corpus,
        models=tuple(settings["models"]),
        batches=tuple(batch_names(n_folds, config["batches"]["folds_per_job"])),
        tasks=tasks,
        paper=settings["paper"],
    )


def model_of(
    name: str, settings: Mapping[str, Any], tagger: Mapping[str, Any]
) -> CommandModel | CrfModel:
    """Make the model that the configuration describes."""
    tags = settings.get("tags", "iob2")
    if "command" in settings:
        return CommandModel(
            name, tuple(settings["command"]), tag_set=tags, shell=settings.get("shell", False)
        )
    return CrfModel(name, tags, TaggerSettings(**{**tagger, "columns": tuple(tagger["columns"])}))


def program_digests(models: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Digest the files that commands of models name: a new program makes results stale."""
    commands = [command for settings in models for command in settings.get("command", ())]
    return {file: _digest(file, Path(file).stat().st_mtime_ns) for file in command_files(commands)}


@cache
def _digest(file: str, _modified: int) -> str:
    """Digest a file once, however many folds ask."""
    return file_sha256(file)


def _check_models(settings: Mapping[str, Any]) -> None:
    """Refuse here what would be refused only in the jobs that train."""
    for name, model in settings["models"].items():
        try:
            model_of(name, model, settings["tagger"])
        except InputError as error:
            key = f"bayes.models.{name}{'.command' if 'command' in model else ''}"
            raise InputError(f"configuration: `{key}`: {error}") from error
    if all("command" in model for model in settings["models"].values()):
        return
    simulated = settings["corpus"] == "simulated"
    n_columns = simulate_corpus(1).n_columns if simulated else count_columns(settings["corpus"]) - 1
    if n_columns < 1:
        return  # no corpus, as the first job will say
    try:
        check_columns(settings["tagger"]["columns"], n_columns, "bayes.tagger.columns")
    except InputError as error:
        raise InputError(f"configuration: {error}") from error


def _corpus(settings: Mapping[str, Any], folder: str) -> str:
    name = settings.get("corpus")
    if name is None:
        return ""
    if name == "simulated":
        return f"{folder}/simulated/corpus.conll"
    return _existing(name, "bayes.corpus")


def _existing(name: str, key: str) -> str:
    if not Path(name).is_file():
        raise InputError(f"{name}: no such file, named by `{key}`.")
    return plain_name(name)
