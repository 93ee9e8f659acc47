"""Sends run folders to a team server, and gets them back."""
