"""Saved state: names, notes, pins and views of a log directory."""
