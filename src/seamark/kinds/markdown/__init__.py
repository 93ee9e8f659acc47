"""Markdown and HTML from log directories, turned into HTML that is safe to show."""
