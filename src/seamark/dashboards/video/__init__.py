"""Logged videos, played in sync."""
