"""Event files on disk."""
