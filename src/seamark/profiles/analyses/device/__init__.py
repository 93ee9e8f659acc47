"""Device work: which launch and which operator it belongs to."""
