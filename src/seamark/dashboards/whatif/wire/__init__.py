"""What the routes of What-If take and send: one module for each part. Analyses send their results as they are."""
