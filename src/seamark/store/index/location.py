"""Where indexes lie: one folder per log directory, in the user's cache."""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path


def default_index_dir() -> Path:
    """The place for caches on this system, in a folder of our own."""
    if sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    elif sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    else:
        named = os.environ.get("XDG_CACHE_HOME", "")
        # The specification says that a relative path is to be ignored.
        base = Path(named) if named.startswith("/") else Path.home() / ".cache"
    return base / "seamark" / "index"


def index_path(index_dir: Path, root: Path) -> Path:
    """The folder of the index of one log directory; by its real path, so that symlinks to it share one index."""
    real = os.fsencode(root.resolve())
    return index_dir / hashlib.blake2b(real, digest_size=12).hexdigest()
