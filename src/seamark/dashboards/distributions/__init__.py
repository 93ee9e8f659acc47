"""Distributions: the percentiles of a tensor, step by step."""
