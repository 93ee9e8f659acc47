"""Layouts: t-SNE and UMAP, which place rows by their neighbours, epoch by epoch."""
