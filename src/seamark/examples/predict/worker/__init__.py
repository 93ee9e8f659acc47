"""The process of a model: loads it, stores tables, and predicts rows. Only this package runs code of users."""
