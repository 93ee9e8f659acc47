"""A full-screen view in a terminal, with the standard library alone: what `seamark top` is made of."""
