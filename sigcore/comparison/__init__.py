"""Is A better than B? Data analysis, the right test, effect size, power, and a report."""
