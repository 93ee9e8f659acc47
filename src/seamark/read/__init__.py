"""Reads runs into Python: `seamark.open`."""

from seamark.read.frame import Frame, MissingLibraryError
from seamark.read.logged import Logged, LoggedImages, LoggedList
from seamark.read.opening import open
from seamark.read.runs import OneRun, Runs, UnknownRunError
from seamark.read.scalars import Scalars

__all__ = [
    "Frame",
    "Logged",
    "LoggedImages",
    "LoggedList",
    "MissingLibraryError",
    "OneRun",
    "Runs",
    "Scalars",
    "UnknownRunError",
    "open",
]
