"""The full-screen terminal view of `seamark top`, with the standard library only."""
