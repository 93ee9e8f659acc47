"""Which hyperparameters matter, and their effects."""
