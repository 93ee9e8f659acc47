"""The routes below /team/api."""
