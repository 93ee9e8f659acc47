"""What a site stores: blobs, each found by the keys of the requests that it answers, spooled to a temporary file."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from types import TracebackType
from typing import Protocol

from seamark.format.site_files import Form, deflate, inflate

# What is already compressed only grows.
INCOMPRESSIBLE = ("image/png", "image/jpeg", "image/gif", "image/webp", "video/", "audio/", "application/zip")
MIN_DEFLATED_BYTES = 64


@dataclass(slots=True)
class Blob:
    owner: str | None  # the run whose data it is; None: of the site as a whole
    label: str  # what the size report counts it as
    order: tuple[str, ...]  # neighbours in this order are read together
    form: Form
    digest: bytes
    offset: int  # in the spool
    length: int
    keys: list[str] = field(default_factory=list)
    stored: Callable[[], bytes] | None = None  # reads it from the earlier site, if it is not in the spool


class EarlierBlob(Protocol):
    """A blob of an earlier site, as packs.py has it."""

    @property
    def owner(self) -> str | None: ...
    @property
    def label(self) -> str: ...
    @property
    def form(self) -> Form: ...
    @property
    def digest(self) -> bytes: ...
    @property
    def content_length(self) -> int: ...
    @property
    def keys(self) -> list[str]: ...


class Spool:
    """Blobs in a file without a name, which ends with the process. Equal blobs of one owner are stored once."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115  (closed by __exit__)
        self._blobs: dict[tuple[str | None, bytes], Blob] = {}
        self._keys: set[str] = set()
        self._size = 0

    def __enter__(self) -> Spool:
        return self

    def __exit__(
        self, error_type: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def __iter__(self) -> Iterator[Blob]:
        return iter(self._blobs.values())

    def __contains__(self, key: str) -> bool:
        return key in self._keys

    def add(
        self,
        key: str,
        content: bytes,
        *,
        label: str,
        owner: str | None,
        media: str = "application/json",
        status: int = 200,
        order: tuple[str, ...] = (),
    ) -> None:
        """The first blob of a key counts."""
        if key in self._keys:
            return
        self._keys.add(key)
        form, stored = encoded(content, media, status)
        digest = hashlib.sha256(f"{form}\0".encode() + stored).digest()
        blob = self._blobs.get((owner, digest))
        if blob is None:
            blob = Blob(owner, label, (label, *order), form, digest, self._size, len(stored))
            self._blobs[owner, digest] = blob
            self._file.write(stored)
            self._size += len(stored)
        blob.keys.append(key)

    def reuse(self, earlier: EarlierBlob, read: Callable[[], bytes]) -> None:
        """Adds a blob of the earlier site, which is read only if its pack cannot stay."""
        blob = Blob(
            earlier.owner, earlier.label, (earlier.label, earlier.keys[0]), earlier.form, earlier.digest, 0,
            earlier.content_length, list(earlier.keys), read,
        )  # fmt: skip
        self._blobs[earlier.owner, earlier.digest] = blob
        self._keys.update(earlier.keys)

    def content(self, blob: Blob) -> bytes:
        """As it was added."""
        return inflate(self.read(blob)) if blob.form.deflated else self.read(blob)

    def read(self, blob: Blob) -> bytes:
        """As it is stored."""
        if blob.stored is not None:
            return blob.stored()
        self._file.seek(blob.offset)
        return self._file.read(blob.length)


def encoded(content: bytes, media: str, status: int) -> tuple[Form, bytes]:
    """The content, compressed if that makes it smaller."""
    if len(content) >= MIN_DEFLATED_BYTES and not media.startswith(INCOMPRESSIBLE):
        compressed = deflate(content)
        if len(compressed) < len(content):
            return Form(media, True, status), compressed
    return Form(media, False, status), content
