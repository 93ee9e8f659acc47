"""Hooks for training loops and torch modules."""
