"""Readers: vectors and metadata from files."""
