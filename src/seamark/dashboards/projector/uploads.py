"""Uploads: embeddings that were dropped on the page, each with its labels."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from seamark.embeddings.form import EmbeddingError
from seamark.embeddings.readers.files import SUFFIXES, arrays_in
from seamark.embeddings.readers.labels import LABELS_SUFFIXES
from seamark.plugin.uploads import UploadError, UploadFolder


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

    def add(self, name: str, file: Path) -> str:
        """Moves the file, and returns its id. Raises EmbeddingError if it has no embedding."""

        def make(path: Path) -> Upload:
            arrays = arrays_in(path)
            if not arrays:
                raise EmbeddingError(f"the file has no matrix of numbers: '{name}'")
            return Upload(name, path, arrays)

        try:
            return self._folder.add(name, file, SUFFIXES, make)
        except UploadError as error:
            raise EmbeddingError(str(error)) from error

    def remove(self, id: str) -> None:
        self._folder.remove(id)

    def add_labels(self, id: str, name: str, file: Path) -> bool:
        """False if there is no such upload any more."""
        try:
            return self._folder.attach(
                id, name, file, LABELS_SUFFIXES, lambda upload, path: upload._replace(labels=path)
            )
        except UploadError as error:
            raise EmbeddingError(str(error)) from error
