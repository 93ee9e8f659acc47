"""Replaces lone surrogates, which file names and arguments that are not UTF-8 contain."""

from __future__ import annotations


def replace_surrogates(text: str) -> str:
    """The text with "?" for each lone surrogate: UTF-8, JSON and protobuf cannot represent them."""
    return text if text.isascii() else text.encode(errors="replace").decode()
