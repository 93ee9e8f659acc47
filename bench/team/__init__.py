"""Many trainers and pages on a team server, beside MLflow and Aim."""
