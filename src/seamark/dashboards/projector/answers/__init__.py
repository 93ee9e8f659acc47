"""What the routes return, by area."""
