"""Differences between runs: configuration, code, machine, metrics."""
