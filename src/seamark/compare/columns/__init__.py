"""Columns of the run table: types, values, names, and which end of a metric is better."""
