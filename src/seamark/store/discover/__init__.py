"""Finds log directories, event files and their changes on disk."""
