"""What must never go wrong whatever happens to files, disks and processes."""
