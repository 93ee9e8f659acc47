"""HTTP: the page, its data as JSON and columns, and what changes as it changes."""
