"""What an object store is opened with, beside the environment, which obstore reads itself."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, NamedTuple


class Settings(NamedTuple):
    """`credentials` is called when a request needs them, and again when they expire. Raises CredentialsError."""

    config: dict[str, str]
    credentials: Callable[[], dict[str, Any]] | None = None


class CredentialsError(ValueError):
    """The credentials cannot be used; the message says why, without them."""


def is_set(*names: str) -> bool:
    """Whether one of these environment variables has a value."""
    return any(os.environ.get(name) for name in names)


def is_true(name: str) -> bool:
    return os.environ.get(name, "").lower() in ("1", "true", "yes")
