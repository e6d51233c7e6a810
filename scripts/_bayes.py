"""What the key `bayes` of a configuration asks for, known before anything runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scripts._batches import batch_names
from scripts._names import plain_name
from sigcore.bayes.corpus import TaggedCorpus, restrict_chunks
from sigcore.bayes.published import TASKS
from sigcore.errors import InputError
from sigcore.io.corpora import read_corpus

__all__ = ["CORPUS", "BayesPlan", "plan_bayes", "read_chunks"]

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
        If a file does not exist, or there is neither a corpus nor a table of fold counts.
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
    n_folds = 2 * settings["repetitions"]
    return BayesPlan(
        corpus=corpus,
        models=tuple(settings["models"]),
        batches=tuple(batch_names(n_folds, config["batches"]["folds_per_job"])),
        tasks=tasks,
        paper=settings["paper"],
    )


def read_chunks(path: str | Path, settings: Mapping[str, Any]) -> TaggedCorpus:
    """Read the corpus with the chunks that the models are to find."""
    corpus = read_corpus(path, tag_column=settings["tag_column"], scheme=settings["scheme"])
    return restrict_chunks(corpus, types=settings["types"], typed=settings["typed"])


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
