"""Grouping runs, and statistics of the groups."""
