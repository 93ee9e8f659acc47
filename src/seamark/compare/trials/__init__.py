"""Trials: which runs they are, one row for several seeds, and filters of their columns."""
