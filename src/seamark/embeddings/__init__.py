"""Embeddings: matrices of vectors with metadata; projections of them, neighbours, clusters and movements."""
