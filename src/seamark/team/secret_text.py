"""Random identifiers and secrets. A secret is shown once and stored only as a hash."""

from __future__ import annotations

import hashlib
import secrets
import time

# What a token begins with, so that people and scanners of code recognize it.
TOKEN_PREFIX = "smk_"


def new_id() -> str:
    """An identifier that sorts by the time it was made in."""
    return f"{time.time_ns() // 1_000_000:012x}{secrets.token_hex(6)}"


def new_secret(prefix: str = "") -> str:
    return prefix + secrets.token_urlsafe(32)


def hash_secret(secret: str) -> str:
    """Of a long random secret: no salt and no slow hash is needed, unlike for passwords."""
    return hashlib.sha256(secret.encode()).hexdigest()
