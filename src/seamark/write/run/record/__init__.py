"""run.json and the run's folder."""
