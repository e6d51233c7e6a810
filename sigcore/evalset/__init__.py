"""The evaluation set: human and metric scores of the same systems on the same segments.

`EvalSet` holds everything that was read. `select` takes from it the systems, segments and metrics
that enter an evaluation, by the rules of the WMT metrics tasks as mt-metrics-eval states them, and
says what it left out and why.
"""

from sigcore.evalset.data import EvalSet, Metric, unique_labels
from sigcore.evalset.options import LeftOut, Selection, left_out_sentences
from sigcore.evalset.selection import select
from sigcore.evalset.system_scores import SystemScores, mean_system_scores

__all__ = [
    "EvalSet",
    "LeftOut",
    "Metric",
    "Selection",
    "SystemScores",
    "left_out_sentences",
    "mean_system_scores",
    "select",
    "unique_labels",
]
