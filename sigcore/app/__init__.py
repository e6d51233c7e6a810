"""The comparison of two systems in the browser, on this machine only."""
