"""Stores the rows of event files on disk, so that the next start reads only new data.

The index is a cache: if any part of it is missing, outdated or damaged, the event files are read instead.
"""
