"""The web server: the page, its data as JSON and columns, and changes as they happen."""

DEFAULT_PORT = 6006
# How long open responses and the index may take when the server stops.
ENDING_SECS = 1
