"""How predictions of the same examples change along training."""
