"""Where the local copy of a bucket is: in the user's cache."""

from __future__ import annotations

import hashlib
from pathlib import Path

from seamark.format.user_dirs import user_cache_dir


def copy_path(address: str) -> Path:
    return user_cache_dir() / "buckets" / hashlib.blake2b(address.encode(), digest_size=12).hexdigest()
