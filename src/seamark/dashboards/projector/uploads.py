"""Uploads: files that were dropped on the page, in a temporary folder of this process."""

from __future__ import annotations

import hashlib
import tempfile
import threading
from collections import OrderedDict
from pathlib import Path
from typing import NamedTuple

from seamark.embeddings.form import EmbeddingError
from seamark.embeddings.readers.files import SUFFIXES, arrays_in
from seamark.embeddings.readers.labels import LABELS_SUFFIXES

MAX_UPLOADS = 16
MAX_UPLOADED_BYTES = 8 << 30


class Upload(NamedTuple):
    title: str  # the name of the file as it was dropped
    path: Path
    arrays: list[str]
    labels: Path | None = None


class Uploads:
    """For any thread. The oldest are removed above the limits."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._files: OrderedDict[str, Upload] = OrderedDict()

    def all(self) -> dict[str, Upload]:
        with self._lock:
            return dict(self._files)

    def get(self, id: str) -> Upload | None:
        with self._lock:
            return self._files.get(id)

    def add(self, name: str, data: bytes) -> tuple[str, Upload]:
        """The id of the file, and the file. Raises EmbeddingError if it has no embedding."""
        path = self._write(name, data, SUFFIXES)
        arrays = arrays_in(path)
        if not arrays:
            path.unlink(missing_ok=True)
            raise EmbeddingError(f"the file has no matrix of numbers: '{name}'")
        upload = Upload(name, path, arrays)
        with self._lock:
            self._files[path.stem] = upload
            self._files.move_to_end(path.stem)
            self._remove_oldest()
        return path.stem, upload

    def add_labels(self, id: str, name: str, data: bytes) -> bool:
        """False if there is no such upload any more."""
        path = self._write(name, data, LABELS_SUFFIXES)
        with self._lock:
            if id not in self._files:
                return False
            self._files[id] = self._files[id]._replace(labels=path)
        return True

    def _write(self, name: str, data: bytes, suffixes: tuple[str, ...]) -> Path:
        suffix = Path(name).suffix.lower()
        if suffix not in suffixes:
            raise EmbeddingError(f"this file cannot be read: got '{name}', want one of {', '.join(suffixes)}")
        digest = hashlib.blake2b(data, digest_size=8)
        digest.update(name.encode(errors="surrogatepass"))
        with self._lock:
            if self._folder is None:
                self._folder = tempfile.TemporaryDirectory(prefix="seamark-uploads-", ignore_cleanup_errors=True)
            path = Path(self._folder.name) / f"{digest.hexdigest()}{suffix}"
        path.write_bytes(data)
        return path

    def _remove_oldest(self) -> None:
        def uploaded_bytes() -> int:
            return sum(upload.path.stat().st_size for upload in self._files.values())

        while len(self._files) > 1 and (len(self._files) > MAX_UPLOADS or uploaded_bytes() > MAX_UPLOADED_BYTES):
            _, upload = self._files.popitem(last=False)
            for path in (upload.path, upload.labels):
                if path is not None:
                    path.unlink(missing_ok=True)
