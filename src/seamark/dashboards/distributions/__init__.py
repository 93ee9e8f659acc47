"""Distributions: the percentiles of a tensor along the steps."""
