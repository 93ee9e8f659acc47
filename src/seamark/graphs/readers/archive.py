"""Reads members of a zip file that may be hostile: bounded in number and size, and never written to disk."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Self

from seamark.format.budget import hold
from seamark.format.zip_members import PackingError, blocks_of, open_member
from seamark.graphs.form import GraphError

MAX_MEMBERS = 200_000
MAX_MEMBER_BYTES = 1 << 30
# No text compresses so well; only the members that are read are checked.
MAX_RATIO = 500
SMALL_MEMBER_BYTES = 1 << 20
_READ_ERRORS = (
    zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError, ValueError,
)  # fmt: skip


class Archive:
    """A zip file in memory or on disk. Names of members are only compared, never used as paths."""

    def __init__(self, source: bytes | Path, what: str) -> None:
        self._what = what
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(source) if isinstance(source, bytes) else source)
        except (*_READ_ERRORS, OverflowError, MemoryError) as error:
            raise GraphError(f"the {what} is not a complete zip file: {error}") from error
        count = len(self._zip.infolist())
        if count > MAX_MEMBERS:
            raise GraphError(f"the {what} holds {count:,} files, more than the limit of {MAX_MEMBERS:,}")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._zip.close()

    def names(self) -> Iterator[str]:
        return iter(self._zip.namelist())

    def find(self, ending: str) -> str | None:
        """The member with this name, or below one folder: torch puts everything into a folder with the file's name."""
        return next((name for name in self.names() if name == ending or name.partition("/")[2] == ending), None)

    def read(self, name: str) -> bytes:
        info = self._zip.getinfo(name)
        self._check_size(name, info.file_size, info.compress_size)
        chunks: list[bytes] = []
        size = 0
        try:
            with open_member(self._zip, name) as file:
                # The sizes in the header are claims: count what is really read.
                for chunk in blocks_of(file, MAX_MEMBER_BYTES + 1):
                    size += len(chunk)
                    self._check_size(name, size, info.compress_size)
                    hold(len(chunk))
                    chunks.append(chunk)
        except PackingError as error:
            raise GraphError(f"the {self._what} cannot be read: {error}") from error
        except _READ_ERRORS as error:
            if isinstance(error, GraphError):
                raise
            raise GraphError(f"'{name[:80]}' in the {self._what} cannot be read: {error}") from error
        return b"".join(chunks)

    def _check_size(self, name: str, size: int, compressed_size: int) -> None:
        if size > MAX_MEMBER_BYTES:
            raise GraphError(f"'{name[:80]}' in the {self._what} is larger than the limit of 1 GiB")
        if size > SMALL_MEMBER_BYTES and size > MAX_RATIO * max(1, compressed_size):
            raise GraphError(f"'{name[:80]}' in the {self._what} is packed more than {MAX_RATIO}:1, as a zip bomb is")
