"""Statistics of features, drift between two sets, and suspects of leakage."""
