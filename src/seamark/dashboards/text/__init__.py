"""Logged texts."""
