"""The bytes of payloads outside the event files: as objects of a bucket, or as files of a folder.

The new payloads of a run are packed into objects named after the run's key and their content, so that writing them
again changes nothing, two ingesters do not write different bytes under one name, and the objects of a run can be
listed. Rows of `payloads` name the object and the range.
"""

from __future__ import annotations

import hashlib
import re
import shutil
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Protocol

import numpy as np

from seamark.clickhouse.native import Column
from seamark.format.bucket_address import is_bucket, parse_bucket
from seamark.store import PayloadGoneError, StoreUnavailableError, printable_path
from seamark.store.ask.payload_bytes import read_exactly
from seamark.store.buckets.objects import BY_TIME, BucketError, ChangedError, ObjectInfo, Objects, RefusedError

MAX_OBJECT_BYTES = 8 << 20
_NAME = re.compile(r"[0-9a-f]{16}/[0-9a-f]{32}")


class PayloadObjects(Protocol):
    """Where the objects are. Any thread may call it. Raises StoreUnavailableError if the place does not answer."""

    @property
    def address(self) -> str: ...

    def write(self, name: str, data: bytes) -> None: ...

    def read(self, name: str, start: int, size: int) -> bytes:
        """Raises PayloadGoneError if there is no such object."""
        ...

    def delete_runs(self, keys: Sequence[int]) -> None: ...


def open_objects(address: str) -> PayloadObjects:
    """Opens a bucket or a folder. Raises ValueError for an address that cannot be used."""
    return BucketObjects(parse_bucket(address)) if is_bucket(address) else FolderObjects(address)


class FolderObjects:
    def __init__(self, folder: str) -> None:
        self._folder = Path(folder).absolute()

    @property
    def address(self) -> str:
        return str(self._folder)

    def write(self, name: str, data: bytes) -> None:
        path = self._folder / checked_name(name)
        part = path.with_name(f"{path.name}.part")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            part.write_bytes(data)
            part.replace(path)
        except OSError as error:
            shown = printable_path(self.address)
            raise StoreUnavailableError(f"payloads cannot be written ({error.strerror}): '{shown}'") from None

    def read(self, name: str, start: int, size: int) -> bytes:
        path = self._folder / checked_name(name)
        try:
            with path.open("rb", buffering=0) as stream:
                return read_exactly(stream, start, size, shown_path=printable_path(str(path)))
        except OSError as error:
            shown = printable_path(self.address)
            raise PayloadGoneError(
                f"the payload cannot be read on this machine ({error.strerror}): '{shown}'"
            ) from None

    def delete_runs(self, keys: Sequence[int]) -> None:
        for key in keys:
            shutil.rmtree(self._folder / _prefix(key), ignore_errors=True)


class BucketObjects:
    def __init__(self, address: str) -> None:
        self._objects = Objects(address)

    @property
    def address(self) -> str:
        return self._objects.address

    def write(self, name: str, data: bytes) -> None:
        try:
            self._objects.write(checked_name(name), data)
        except BucketError as error:
            raise StoreUnavailableError(str(error)) from None

    def read(self, name: str, start: int, size: int) -> bytes:
        # Objects never change: their name is made from their content.
        wanted = ObjectInfo(checked_name(name), 0, BY_TIME, 0.0)
        try:
            return self._objects.read(wanted, start, start + size) if size else b""
        except ChangedError:
            raise PayloadGoneError(f"the bucket has no longer this payload: '{self.address}'") from None
        except RefusedError as error:
            raise StoreUnavailableError(
                f"the bucket does not give out this payload ({error}): '{self.address}'"
            ) from None
        except BucketError as error:
            raise StoreUnavailableError(str(error)) from None

    def delete_runs(self, keys: Sequence[int]) -> None:
        try:
            for key in keys:
                names = [found.key for page in self._objects.pages(_prefix(key)) for found in page]
                if names:
                    self._objects.delete(names)
        except BucketError as error:
            raise StoreUnavailableError(str(error)) from None


class PayloadPacker:
    """Packs the payloads of one run into objects."""

    def __init__(self, write: Callable[[str, bytes], None], run: int) -> None:
        self._write_object = write
        self._run = run
        self._names: list[bytes] = []
        self._parts: list[bytes] = []
        self._size = 0
        self._placed: list[tuple[dict[str, Column], list[int]]] = []

    def place(self, columns: dict[str, Column], contents: Iterable[bytes]) -> None:
        """Packs what the rows of `payloads` stand for; `finish` makes them refer to the objects."""
        offsets, numbers = [], []
        for content in contents:
            if self._parts and self._size + len(content) > MAX_OBJECT_BYTES:
                self._write()
            offsets.append(self._size)
            numbers.append(len(self._names))
            self._parts.append(content)
            self._size += len(content)
        columns["byte_offset"] = np.array(offsets, np.uint64)
        self._placed.append((columns, numbers))

    def finish(self) -> None:
        if self._parts:
            self._write()
        for columns, numbers in self._placed:
            columns["object"] = [self._names[number] for number in numbers]

    def _write(self) -> None:
        data = b"".join(self._parts)
        name = f"{_prefix(self._run)}/{hashlib.blake2b(data, digest_size=16).hexdigest()}"
        self._write_object(name, data)
        self._names.append(name.encode())
        self._parts, self._size = [], 0


def checked_name(name: str) -> str:
    """Returns the name. Raises PayloadGoneError if it is not one that `PayloadPacker` makes."""
    if not _NAME.fullmatch(name):
        raise PayloadGoneError("the database names an object that no ingester wrote; ingest the run again")
    return name


def _prefix(run: int) -> str:
    return f"{run:016x}"
