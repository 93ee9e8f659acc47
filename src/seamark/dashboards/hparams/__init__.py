"""A dashboard to copy. docs/dashboards.md goes through it."""
