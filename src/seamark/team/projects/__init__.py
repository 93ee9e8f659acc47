"""Projects: their rows in the database, and the application that shows the runs of one."""
