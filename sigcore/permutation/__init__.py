"""Is the difference real? Exact, analytic and Monte Carlo sign-flip tests."""
