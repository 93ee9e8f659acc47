"""Captures the console output of a run."""
