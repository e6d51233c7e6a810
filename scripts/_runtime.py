"""What every script of the workflow does around its own work: log, and fail in one clear line."""

from __future__ import annotations

import logging
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sigcore.errors import InputError

__all__ = ["run"]


def run(main: Callable[[Any], None], snakemake: Any) -> None:
    """Run `main` as a job: warnings and messages go to its log, bad input ends in one line.

    Parameters
    ----------
    main : callable
        The work, a function of the `snakemake` object.
    snakemake : Snakemake
        What Snakemake gives to a script: input, output, params, wildcards, log.
    """
    log = Path(str(snakemake.log[0]))
    log.parent.mkdir(parents=True, exist_ok=True)
    handler = logging.FileHandler(log, mode="w", encoding="utf-8")
    handler.setFormatter(logging.Formatter("%(levelname)s: %(message)s"))
    logging.getLogger().addHandler(handler)
    logging.getLogger().setLevel(logging.INFO)
    logging.captureWarnings(True)
    try:
        main(snakemake)
    except InputError as error:
        logging.error("%s", error)
        print(f"sigcore: error: {error}", file=sys.stderr)
        sys.exit(1)
    except Exception as error:
        logging.error("%s: %s", type(error).__name__, error)
        logging.info("%s", traceback.format_exc())
        raise
