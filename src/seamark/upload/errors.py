"""Errors of uploads."""

from __future__ import annotations


class UploadError(Exception):
    """The bucket cannot be written now, perhaps later; the message is a sentence."""
