"""Performance of a model by slice: thresholds, curves and calibration, fairness strategies, errors."""
