"""Readers of tables: one module per format."""
