"""Synthetic profiles whose cause is known by construction, and the bench of Profile."""
