"""Embeddings for the projector: configs, checkpoints and the files they name."""
