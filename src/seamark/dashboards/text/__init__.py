"""Markdown that runs logged, at every step: rendered, raw, compared, searched."""
