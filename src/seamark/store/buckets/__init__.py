"""Log directories in object stores: a local copy of what Seamark shows, kept up to date."""
