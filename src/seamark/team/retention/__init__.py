"""Storage of a project: what uses it, and rules that remove old payloads."""
