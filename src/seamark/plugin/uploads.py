"""UploadFolder: files that were dropped on the page, in a temporary folder of this process."""

from __future__ import annotations

import hashlib
import tempfile
import threading
from collections import OrderedDict
from pathlib import Path
from typing import Generic, TypeVar

T = TypeVar("T")
MAX_UPLOADS = 16
MAX_UPLOADED_BYTES = 8 << 30


class UploadError(ValueError):
    """A file that cannot be uploaded. The message is a sentence for people."""


class UploadFolder(Generic[T]):
    """For any thread. Each upload has an entry of the caller's type; the oldest are removed above the limits."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._entries: OrderedDict[str, T] = OrderedDict()
        self._files: dict[str, list[Path]] = {}

    def all(self) -> dict[str, T]:
        with self._lock:
            return dict(self._entries)

    def get(self, id: str) -> T | None:
        with self._lock:
            return self._entries.get(id)

    def write(self, name: str, data: bytes, suffixes: tuple[str, ...]) -> tuple[str, Path]:
        """The id of a file, from its content and name, and where it is. Raises UploadError for another ending."""
        suffix = next((one for one in sorted(suffixes, key=len, reverse=True) if name.lower().endswith(one)), None)
        if suffix is None:
            raise UploadError(f"this file cannot be read: got '{name}', want one of {', '.join(suffixes)}")
        digest = hashlib.blake2b(data, digest_size=8)
        digest.update(name.encode(errors="surrogatepass"))
        with self._lock:
            if self._folder is None:
                self._folder = tempfile.TemporaryDirectory(prefix="seamark-uploads-", ignore_cleanup_errors=True)
            folder = Path(self._folder.name) / digest.hexdigest()
        folder.mkdir(exist_ok=True)
        path = folder / f"upload{suffix}"
        path.write_bytes(data)
        return digest.hexdigest(), path

    def set(self, id: str, entry: T, *files: Path) -> None:
        """The entry of an upload, and the files that are removed with it."""
        with self._lock:
            self._entries[id] = entry
            self._entries.move_to_end(id)
            known = self._files.setdefault(id, [])
            known += [file for file in files if file not in known]
            while len(self._entries) > 1 and self._is_full():
                oldest, _ = self._entries.popitem(last=False)
                remove_files(self._files.pop(oldest, []))

    def remove(self, id: str) -> None:
        with self._lock:
            self._entries.pop(id, None)
            remove_files(self._files.pop(id, []))

    def _is_full(self) -> bool:
        sizes = (file.stat().st_size for files in self._files.values() for file in files if file.exists())
        return len(self._entries) > MAX_UPLOADS or sum(sizes) > MAX_UPLOADED_BYTES


def remove_files(files: list[Path]) -> None:
    for file in files:
        file.unlink(missing_ok=True)
