"""Writes embeddings as the files that the projector reads: vectors, metadata, thumbnails and the configuration."""
