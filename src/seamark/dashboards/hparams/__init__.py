"""Hyperparameters: trials, their parameters and their results."""
