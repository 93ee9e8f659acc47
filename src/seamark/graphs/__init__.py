"""Graphs of models: read from any format into one form, then laid out by level, searched, measured and compared."""
