"""Readers: one module for each format. Each turns the bytes of a file or a payload into a Graph."""
