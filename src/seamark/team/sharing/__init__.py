"""Shared links: runs of a project that people without a role in it may look at."""
