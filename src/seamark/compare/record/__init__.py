"""Reading the files and events of runs into one record per run."""
