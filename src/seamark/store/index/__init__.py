"""The index: what was read from event files, kept on disk so that the next start reads only what is new.

It is a cache: any part of it may be missing, old or damaged, and then the event files are read instead.
"""
