"""Seamark: see what a training run is doing."""

__version__ = "0.1.0"
