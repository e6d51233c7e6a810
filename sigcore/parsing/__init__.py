"""Comparison of parsers and taggers from their counts on each sentence."""
