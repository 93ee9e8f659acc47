"""Imports runs of other trackers into event files, and exports event files to tables. One module per source."""
