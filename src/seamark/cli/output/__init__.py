"""Printing and writing results: tables, numbers, progress, files."""
