"""A dashboard to copy. docs/built-in-dashboards.md goes through it."""
