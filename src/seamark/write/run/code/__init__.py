"""The state of the program's source code."""
