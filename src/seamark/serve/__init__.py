"""HTTP: the page, its data as JSON and columns, and what changes as it changes."""

DEFAULT_PORT = 6006
# How long open answers and the index get when the server ends.
ENDING_SECS = 1
