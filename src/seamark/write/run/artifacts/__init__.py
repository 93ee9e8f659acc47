"""Files that a run saves and artifacts that runs share."""
