"""Exact significance tests and metric meta-evaluation for NLP and machine translation."""

import importlib
from typing import Any

__version__ = "0.1.0"

# Public name -> module that defines it. A module is imported when its name is first used, so
# `import sigcore` costs nothing.
_PUBLIC = {
    "EvalSet": "sigcore.evalset",
    "FoldCounts": "sigcore.bayes.folds",
    "InputError": "sigcore.errors",
    "Selection": "sigcore.evalset",
    "acc_eq": "sigcore.meta.tie_calibration",
    "all_pairs_clusters": "sigcore.meta.clusters",
    "bayes_test": "sigcore.bayes.comparison",
    "block_partition": "sigcore.bayes.partition",
    "bootstrap_meta_metric": "sigcore.meta.bootstrap",
    "compare": "sigcore.comparison.compare",
    "compare_metrics": "sigcore.meta.significance",
    "compare_pairs": "sigcore.comparison.pairs",
    "compare_parsers": "sigcore.parsing.compare",
    "exact_permutation_test": "sigcore.permutation.convolution",
    "greedy_clusters": "sigcore.meta.clusters",
    "human_ceiling": "sigcore.meta.ceiling",
    "meta_metric": "sigcore.meta.registry",
    "paired_permutation_test": "sigcore.permutation.paired",
    "pairwise_accuracy": "sigcore.meta.accuracy",
    "pairwise_pvalues": "sigcore.permutation.pairwise",
    "prf_permutation_test": "sigcore.permutation.prf",
    "read_evalb": "sigcore.io.evalb",
    "read_evalset": "sigcore.io.mtme",
    "read_folds": "sigcore.io.folds",
    "select": "sigcore.evalset",
    "separation_curve": "sigcore.meta.power",
    "soft_pairwise_accuracy": "sigcore.meta.spa",
    "structured_permutation_test": "sigcore.permutation.structured",
    "williams_test": "sigcore.meta.correlation_tests",
}

__all__ = sorted(["__version__", *_PUBLIC])


def __getattr__(name: str) -> Any:
    """Import a public name on first use."""
    if name not in _PUBLIC:
        raise AttributeError(f"module 'sigcore' has no attribute {name!r}")
    value = getattr(importlib.import_module(_PUBLIC[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_PUBLIC})
