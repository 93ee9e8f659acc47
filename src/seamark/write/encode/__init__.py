"""Turns values into summaries: arrays, pictures, sound, video, histograms, meshes, graphs."""
