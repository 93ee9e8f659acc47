"""Scalars and custom scalars."""
