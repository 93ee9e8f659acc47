"""The audit log: who saw, changed and deleted what."""
