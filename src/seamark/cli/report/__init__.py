"""`seamark export html`: runs, charts and differences in one file that needs no server."""
