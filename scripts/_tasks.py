"""The tasks that metrics are averaged over, known before anything runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from scripts._inputs import EvaluationInputs
from sigcore.errors import DataFileError, InputError
from sigcore.tasksets import TaskSet, load_task_set

__all__ = ["documents_of", "plan_tasks"]


def plan_tasks(config: Mapping[str, Any], inputs: EvaluationInputs) -> TaskSet | None:
    """Look up the tasks of a run, restricted to the language pairs that have data.

    Returns
    -------
    TaskSet or None
        None if the configuration has no key `tasks`.

    Raises
    ------
    InputError
        If there is no such set of tasks, or it cannot be used with the language pairs.
    """
    settings = config.get("tasks")
    if settings is None:
        return None
    with_domains = [pair for pair in inputs.pairs if documents_of(inputs, *pair)]
    try:
        found = load_task_set(settings["set"], inputs.pairs, with_domains=with_domains)
        return replace(found, system_scores=settings.get("system_scores", found.system_scores))
    except DataFileError:
        raise
    except InputError as error:
        raise InputError(f"configuration: `tasks.set` cannot be used: {error}") from None


def documents_of(inputs: EvaluationInputs, testset: str, lp: str) -> list[str]:
    """List the file of documents of a language pair, if there is one."""
    return [path for path in inputs.files[testset, lp].others if path.endswith(".docs")]
