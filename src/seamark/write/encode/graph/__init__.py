"""Turns models into the nodes of a GraphDef: torch modules (exported or traced) and JAX functions."""
