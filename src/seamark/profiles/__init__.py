"""Profiles: traces as columns, their steps, what takes the time and the memory, and what to change."""
