"""Hyperparameters: sessions grouped, filtered, sorted and aggregated as in TensorBoard."""
