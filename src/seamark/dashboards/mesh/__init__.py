"""Meshes and point clouds."""
