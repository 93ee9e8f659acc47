"""Readers: files of profilers to traces."""
