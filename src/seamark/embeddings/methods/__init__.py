"""Methods that place vectors in two or three dimensions."""
