"""Clusters of rows: by k-means, by density or by a column; and their names."""
