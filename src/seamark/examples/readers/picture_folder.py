"""PictureFolder: image files below a folder, by their relative paths. A path never leads out of the folder."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from seamark.examples.form import ExamplesError

IMAGE_SUFFIXES = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp")
MAX_PICTURE_BYTES = 64 << 20
MAX_PICTURES = 1_000_000
MAX_DEPTH = 8
SAMPLE = 20


class PictureFolder:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def paths(self) -> Iterator[str]:
        """The image files, in the order of their names. Hidden files and links are left out."""
        yield from self._walk("", MAX_DEPTH)

    def _walk(self, below: str, depth: int) -> Iterator[str]:
        try:
            entries = sorted(os.scandir(self._folder / below), key=lambda entry: entry.name)
        except OSError:
            return
        for entry in entries:
            if entry.name.startswith("."):
                continue
            if entry.is_dir(follow_symlinks=False):
                if depth > 0:
                    yield from self._walk(f"{below}{entry.name}/", depth - 1)
            elif entry.name.lower().endswith(IMAGE_SUFFIXES) and entry.is_file(follow_symlinks=False):
                yield f"{below}{entry.name}"

    def has(self, name: str) -> bool:
        return self._find(name) is not None

    def has_most(self, names: Sequence[str]) -> bool:
        """Whether the first names are image files here."""
        sample = names[:SAMPLE]
        return bool(sample) and sum(map(self.has, sample)) * 2 > len(sample)

    def read(self, name: str) -> bytes:
        """Raises ExamplesError."""
        path = self._find(name)
        if path is None:
            raise ExamplesError(f"there is no picture '{name}' beside the table")
        try:
            if path.stat().st_size > MAX_PICTURE_BYTES:
                raise ExamplesError(f"the picture is too large: want at most {MAX_PICTURE_BYTES >> 20} MB: '{name}'")
            return path.read_bytes()
        except OSError as error:
            raise ExamplesError(f"the picture cannot be read: {error.strerror}: '{name}'") from error

    def _find(self, name: str) -> Path | None:
        if not name.lower().endswith(IMAGE_SUFFIXES) or "\0" in name:
            return None
        try:
            root = self._folder.resolve(strict=True)
            target = (root / name).resolve(strict=True)
        except (OSError, ValueError):
            return None
        if not target.is_relative_to(root) or not target.is_file():
            return None
        is_hidden = any(part.startswith(".") for part in target.relative_to(root).parts)
        return None if is_hidden else target
