"""Copies of a run in other trackers."""
