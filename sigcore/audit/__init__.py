"""Audit the files of a language pair: everything wrong or odd, in one go.

The reader stops at the first fault, as it must. The audit goes on and lists the faults of all
files, and what a user should know about scores that can be read: duplicates, constant or reversed
metrics, systems filled with zeros, ties, the grid of the scores, gaps in the gold.
"""

from sigcore.audit.pair import audit_testset
from sigcore.audit.results import Audit, Finding, ScoreFacts

__all__ = ["Audit", "Finding", "ScoreFacts", "audit_testset"]
