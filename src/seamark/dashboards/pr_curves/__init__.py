"""PR curves: what a threshold costs, over all runs."""
