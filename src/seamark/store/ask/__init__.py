"""Answers queries about runs and series."""
