"""Reads event files into columns."""
