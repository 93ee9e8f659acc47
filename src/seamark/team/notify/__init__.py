"""Notifications: rules, what they watch, and how messages are sent."""
