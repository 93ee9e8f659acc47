"""FileCache: files in a folder that may be deleted at any time, the least recently used first."""

from __future__ import annotations

import hashlib
import logging
import os
import tempfile
import time
from pathlib import Path

LOG = logging.getLogger(__name__)
UNFINISHED_SUFFIX = ".tmp"
UNFINISHED_AFTER_SECS = 3600.0


class FileCache:
    """For any thread and process. Without a folder, or if the disk fails, it is empty."""

    def __init__(self, folder: Path | None, *, suffix: str, max_bytes: int) -> None:
        self._folder, self._suffix, self._max_bytes = folder, suffix, max_bytes

    def load(self, key: str) -> bytes | None:
        path = self._path(key)
        if path is None:
            return None
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            LOG.warning("cannot read a cached file (%s): '%s'", error, path)
            return None
        try:
            os.utime(path)  # marks it as used
        except OSError as error:
            LOG.debug("cannot mark a cached file as used (%s): '%s'", error, path)
        return data

    def store(self, key: str, data: bytes | bytearray) -> None:
        """A file of more than half of the cache is not stored."""
        path = self._path(key)
        if path is None or len(data) > self._max_bytes // 2:
            return
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            _write(path, data)
            self._remove_oldest(path.parent)
        except (OSError, ValueError) as error:
            LOG.warning("cannot cache a file (%s): '%s'", error, path)

    def _path(self, key: str) -> Path | None:
        if self._folder is None:
            return None
        name = hashlib.blake2b(key.encode(errors="surrogatepass"), digest_size=16).hexdigest()
        return self._folder / (name + self._suffix)

    def _remove_oldest(self, folder: Path) -> None:
        """Keeps the files that were used last, within the limit."""
        now = time.time()
        files: list[tuple[float, int, Path]] = []
        for path in folder.iterdir():
            status = path.stat()
            if path.suffix == self._suffix:
                files.append((status.st_mtime, status.st_size, path))
            elif path.suffix == UNFINISHED_SUFFIX and now - status.st_mtime > UNFINISHED_AFTER_SECS:
                path.unlink(missing_ok=True)
        total = 0
        for _, size, path in sorted(files, reverse=True):
            total += size
            if total > self._max_bytes:
                path.unlink(missing_ok=True)


def _write(path: Path, data: bytes | bytearray) -> None:
    with tempfile.NamedTemporaryFile(dir=path.parent, suffix=UNFINISHED_SUFFIX, delete=False) as file:
        try:
            file.write(data)
            file.close()
            Path(file.name).replace(path)
        except BaseException:
            Path(file.name).unlink(missing_ok=True)
            raise
