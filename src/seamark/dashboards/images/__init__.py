"""Logged images, and the frames of videos."""
