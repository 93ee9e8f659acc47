"""Uploads: files that were dropped on the page. Bodies are streamed to files, in temporary folders of this process."""

from __future__ import annotations

import functools
import hashlib
import os
import shutil
import tempfile
import threading
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Generic, TypeVar

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request

from seamark.format.temporary import make_temporary_folder
from seamark.plugin.errors import RequestError
from seamark.plugin.request import receive_body

T = TypeVar("T")
MAX_UPLOADS = 16
MAX_UPLOADED_BYTES = 8 << 30
# Of all dashboards. A browser sends six at once.
MAX_RECEIVED_AT_ONCE = 8
WRITE_BYTES = 1 << 20


class UploadError(ValueError):
    """A file that cannot be uploaded. The message is a sentence for people."""


@asynccontextmanager
async def received(request: Request, *, max_bytes: int) -> AsyncIterator[Path]:
    """The body as a file, which is removed at the end unless it was moved. Raises RequestError."""
    with _receiving.one():
        path = await run_in_threadpool(_new_file)
        try:
            await _write_body(request, path, max_bytes)
            yield path
        finally:
            path.unlink(missing_ok=True)


async def _write_body(request: Request, path: Path, max_bytes: int) -> None:
    block = bytearray()
    with path.open("wb", buffering=0) as file:

        async def write(chunk: bytes) -> None:
            block.extend(chunk)
            if len(block) >= WRITE_BYTES:
                await flush()

        async def flush() -> None:
            await run_in_threadpool(file.write, bytes(block))
            block.clear()

        try:
            await receive_body(request, write, max_bytes=max_bytes)
            await flush()
        except OSError as error:
            sentence = f"the file cannot be stored: {error.strerror or error}"
            raise RequestError(sentence, code="unavailable") from error


class _Receiving:
    """How many bodies are being received and read. For any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._count = 0

    @contextmanager
    def one(self) -> Iterator[None]:
        with self._lock:
            if self._count >= MAX_RECEIVED_AT_ONCE:
                raise RequestError(
                    f"{self._count} files are being uploaded already, which is the limit: wait for one of them",
                    code="unavailable",
                )
            self._count += 1
        try:
            yield
        finally:
            with self._lock:
                self._count -= 1


_receiving = _Receiving()
_making_folder = threading.Lock()


@functools.cache
def _received_folder() -> tempfile.TemporaryDirectory[str]:
    return make_temporary_folder("received")


def _new_file() -> Path:
    with _making_folder:  # the cache alone makes one for each of the first threads, and deletes all but one of them
        folder = _received_folder().name
    descriptor, name = tempfile.mkstemp(dir=folder)
    os.close(descriptor)
    return Path(name)


def upload_id(name: str, file: Path) -> str:
    """From the name and the content."""
    with file.open("rb") as stream:
        digest = hashlib.file_digest(stream, lambda: hashlib.blake2b(digest_size=8))
    digest.update(name.encode(errors="surrogatepass"))
    return digest.hexdigest()


class UploadFolder(Generic[T]):
    """For any thread. Each upload has a folder, and an entry of the caller's type; the oldest are removed above the
    limits.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._root: tempfile.TemporaryDirectory[str] | None = None
        self._entries: OrderedDict[str, T] = OrderedDict()
        self._folders: dict[str, Path] = {}

    def all(self) -> dict[str, T]:
        with self._lock:
            return dict(self._entries)

    def get(self, id: str) -> T | None:
        with self._lock:
            return self._entries.get(id)

    def add(self, name: str, file: Path, suffixes: tuple[str, ...], make: Callable[[Path], T]) -> str:
        """Moves the file here and returns its id. Raises UploadError for another ending, and what `make` raises."""
        suffix = suffix_of(name, suffixes)
        id = upload_id(name, file)
        with self._lock:
            if id in self._entries:
                self._entries.move_to_end(id)
                return id
            if self._root is None:
                self._root = make_temporary_folder("uploads")
            folder = Path(tempfile.mkdtemp(dir=self._root.name))
        try:
            entry = make(file.rename(folder / f"upload{suffix}"))
        except BaseException:
            remove_folder(folder)
            raise
        with self._lock:
            remove_folder(self._folders.get(id))  # of the same file, sent at the same time
            self._entries[id], self._folders[id] = entry, folder
            while len(self._entries) > 1 and self._is_full():
                oldest, _ = self._entries.popitem(last=False)
                remove_folder(self._folders.pop(oldest))
        return id

    def attach(self, id: str, name: str, file: Path, suffixes: tuple[str, ...], change: Callable[[T, Path], T]) -> bool:
        """Moves a further file to an upload, and changes its entry. False if there is no such upload any more."""
        # By its content: what was read of another is not taken for it.
        file_name = f"{upload_id(name, file)}{suffix_of(name, suffixes)}"
        with self._lock:
            if id not in self._entries:
                return False
            path = file.rename(self._folders[id] / file_name)
            self._entries[id] = change(self._entries[id], path)
        return True

    def remove(self, id: str) -> None:
        with self._lock:
            self._entries.pop(id, None)
            remove_folder(self._folders.pop(id, None))

    def _is_full(self) -> bool:
        sizes = (file.stat().st_size for folder in self._folders.values() for file in folder.iterdir())
        return len(self._entries) > MAX_UPLOADS or sum(sizes) > MAX_UPLOADED_BYTES


def suffix_of(name: str, suffixes: tuple[str, ...]) -> str:
    suffix = next((one for one in sorted(suffixes, key=len, reverse=True) if name.lower().endswith(one)), None)
    if suffix is None:
        raise UploadError(f"this file cannot be read: got '{name}', want one of {', '.join(suffixes)}")
    return suffix


def remove_folder(folder: Path | None) -> None:
    if folder is not None:
        shutil.rmtree(folder, ignore_errors=True)
