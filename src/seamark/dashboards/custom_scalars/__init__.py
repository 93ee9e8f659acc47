"""Charts of several tags, laid out by those who log or by those who look."""
