"""Sets of examples with predictions: schema, models, performance, slices and what-if analyses."""
