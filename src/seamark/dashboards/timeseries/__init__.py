"""Scalars, histograms and images on one page."""
