"""Readers of files: each turns the bytes of one format into a Graph."""
