"""Captures: the profiles below log directories, and those of running programs."""
