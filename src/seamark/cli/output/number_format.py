"""Formats counts and sizes for people."""

from __future__ import annotations


def counted(number: int, noun: str) -> str:
    """`1 file`, `2,000 files`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def size(size_bytes: int) -> str:
    """In the largest unit in which the size is at least 1."""
    for unit, scale in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if size_bytes >= scale:
            return f"{size_bytes / scale:.1f} {unit}"
    return counted(size_bytes, "byte")
