"""Histograms: how the values of a tensor lie, step by step."""
