"""Slices: what several analyses read from them; activities, ancestors, arguments and merged intervals."""
