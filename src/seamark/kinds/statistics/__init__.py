"""Statistics of histograms: percentiles and health rules."""
