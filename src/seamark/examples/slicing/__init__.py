"""Slices: rows that meet conditions on columns, and cuts of columns into slices."""
