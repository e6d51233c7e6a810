"""Timings against peers and error rates; `python -m benchmarks.run_all` runs them all."""
