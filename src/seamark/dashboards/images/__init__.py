"""Images: what every run drew at every step."""
