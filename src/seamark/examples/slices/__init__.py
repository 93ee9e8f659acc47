"""The search for slices with more errors than the rest."""
