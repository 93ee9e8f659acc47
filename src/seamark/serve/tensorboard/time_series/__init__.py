"""Scalars, histograms and images, several requests at a time."""
