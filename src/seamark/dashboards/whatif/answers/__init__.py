"""What the routes return, by part of the page."""
