"""Values that run.log accepts besides numbers."""
