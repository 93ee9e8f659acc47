"""The bounded queue between a training loop and its event file, and the thread that empties it."""
