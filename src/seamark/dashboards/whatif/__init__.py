"""What-If: edit examples and ask the model again; performance, fairness, slices and features."""
