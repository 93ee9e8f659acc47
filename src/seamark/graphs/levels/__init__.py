"""What is visible of a graph while some of its groups are open: folded noise, series, bundled edges, traces."""
