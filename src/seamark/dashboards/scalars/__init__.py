"""Scalars: a chart for every tag."""
