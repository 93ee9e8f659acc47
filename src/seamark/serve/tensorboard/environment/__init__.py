"""The log directories, the runs, and which plugins have data."""
