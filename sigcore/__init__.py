"""Exact significance tests and metric meta-evaluation for NLP and machine translation."""

__version__ = "0.1.0"
