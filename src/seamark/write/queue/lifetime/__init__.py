"""Tells recorders and runs when the process exits, forks, receives a signal, raises or runs another program.

Nothing is installed on import: a program that never logs keeps its own handlers. Handlers that were there before are
called as before.
"""
