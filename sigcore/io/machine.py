"""What a timing was taken on."""

import os
import platform
from pathlib import Path

__all__ = ["describe_machine"]

_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def describe_machine() -> dict[str, str]:
    """Return processor, number of cores and the threads that linear algebra may use."""
    limits = [f"{name} = {os.environ[name]}" for name in _THREADS if name in os.environ]
    return {
        "processor": _processor(),
        "cores": str(os.cpu_count() or "unknown"),
        "threads": ", ".join(limits) or "not limited",
    }


def _processor() -> str:
    # On Linux the platform module gives the architecture only.
    facts = Path("/proc/cpuinfo")
    if facts.is_file():
        for line in facts.read_text(encoding="utf-8", errors="replace").splitlines():
            name, _, value = line.partition(":")
            if name.strip() == "model name":
                return value.strip()
    return platform.processor() or platform.machine()
