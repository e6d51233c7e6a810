"""Figures: functions that draw on a given Axes, and one style for all of them."""
