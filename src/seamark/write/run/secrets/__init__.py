"""Removes secrets from recorded text."""
