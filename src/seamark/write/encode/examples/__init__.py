"""Examples with predictions as files of a run."""
