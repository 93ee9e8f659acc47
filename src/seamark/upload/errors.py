"""Errors of uploads; the messages are sentences for the user."""

from __future__ import annotations


class UploadError(Exception):
    """The server cannot be used. It may work later if `is_temporary`, but not before `retry_after_secs`."""

    def __init__(self, message: str, *, is_temporary: bool, retry_after_secs: float = 0.0, status: int = 0) -> None:
        super().__init__(message)
        self.is_temporary = is_temporary
        self.retry_after_secs = retry_after_secs
        self.status = status


class SettingsError(ValueError):
    """Server, token or project are missing or malformed."""
