"""Chooses the metric that runs are tuned for."""
