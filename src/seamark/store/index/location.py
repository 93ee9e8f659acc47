"""Where indexes are stored: one folder per log directory, in the user's cache."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from seamark.format.user_dirs import user_cache_dir


def default_index_dir() -> Path:
    """Returns the folder of all indexes in the user's cache."""
    return user_cache_dir() / "index"


def index_path(index_dir: Path, root: Path) -> Path:
    """Returns the folder of one log directory's index; symlinks to the same log directory share one index."""
    real = os.fsencode(root.resolve())
    return index_dir / hashlib.blake2b(real, digest_size=12).hexdigest()
