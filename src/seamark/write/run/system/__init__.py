"""The machine a run uses, and its load over time."""
