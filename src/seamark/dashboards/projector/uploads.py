"""Uploads: embeddings that were dropped on the page, each with its labels."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from seamark.embeddings.form import EmbeddingError
from seamark.embeddings.readers.files import SUFFIXES, arrays_in
from seamark.embeddings.readers.labels import LABELS_SUFFIXES
from seamark.plugin.uploads import UploadError, UploadFolder, remove_files


class Upload(NamedTuple):
    title: str  # the name of the file as it was dropped
    path: Path
    arrays: list[str]
    labels: Path | None = None


class Uploads:
    """For any thread. The oldest are removed above the limits."""

    def __init__(self) -> None:
        self._folder: UploadFolder[Upload] = UploadFolder()

    def all(self) -> dict[str, Upload]:
        return self._folder.all()

    def get(self, id: str) -> Upload | None:
        return self._folder.get(id)

    def add(self, name: str, data: bytes) -> tuple[str, Upload]:
        """The id of the file, and the file. Raises EmbeddingError if it has no embedding."""
        id, path = self._write(name, data, SUFFIXES)
        arrays = arrays_in(path)
        if not arrays:
            remove_files([path])
            raise EmbeddingError(f"the file has no matrix of numbers: '{name}'")
        upload = Upload(name, path, arrays)
        self._folder.set(id, upload, path)
        return id, upload

    def remove(self, id: str) -> None:
        self._folder.remove(id)

    def add_labels(self, id: str, name: str, data: bytes) -> bool:
        """False if there is no such upload any more."""
        _, path = self._write(name, data, LABELS_SUFFIXES)
        upload = self._folder.get(id)
        if upload is None:
            return False
        self._folder.set(id, upload._replace(labels=path), path)
        return True

    def _write(self, name: str, data: bytes, suffixes: tuple[str, ...]) -> tuple[str, Path]:
        try:
            return self._folder.write(name, data, suffixes)
        except UploadError as error:
            raise EmbeddingError(str(error)) from error
