"""Runs of other trackers into event files, and event files into tables. One file per source; they meet in `source`."""
