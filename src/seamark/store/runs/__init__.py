"""Runs and their series, assembled from event files; change notifications."""
