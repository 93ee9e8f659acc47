"""Histograms: the distribution of a tensor's values, step by step."""
