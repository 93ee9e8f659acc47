"""The run's configuration, settings, metrics and hyperparameters."""
