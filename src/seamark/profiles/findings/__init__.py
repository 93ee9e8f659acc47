"""Findings: rules that name what takes time, with the slices that prove it."""
