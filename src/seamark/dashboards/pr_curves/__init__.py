"""Precision-recall curves."""
