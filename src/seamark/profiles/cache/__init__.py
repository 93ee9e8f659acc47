"""Traces in the cache: read once, then mapped."""
