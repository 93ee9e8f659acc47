"""Server-sent events: which runs and series changed."""
