"""The objects of a bucket below a prefix, through obstore: list, read a range of one version, write and delete."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from seamark.object_stores.failures import failure_reason
from seamark.object_stores.opening import open_object_store

if TYPE_CHECKING:
    from obstore import GetOptions

LIST_PAGE = 1000
TIMEOUT_SECS = 30
# obstore repeats a request that was refused for its rate, or failed on the way, with growing pauses up to this time.
MAX_RETRIES, RETRY_SECS = 6, 20
# The version of an object without an ETag.
BY_TIME = "time "


class BucketError(Exception):
    """The bucket cannot be read now; the message says why, without credentials."""


class ChangedError(Exception):
    """The object was replaced or removed since it was listed."""


class RefusedError(Exception):
    """The bucket gives out other objects, but not this one; the message says why."""


class ObjectInfo(NamedTuple):
    """`key` is relative to the prefix. `version` changes with the content (ETag)."""

    key: str
    size: int
    version: str
    modified: float


class ObjectReader(Protocol):
    """Where files are copied from: a bucket, or a published site. Any thread may call any method."""

    def pages(self, folder: str = "") -> Iterator[list[ObjectInfo]]: ...
    def read(self, wanted: ObjectInfo, start: int, stop: int) -> bytes: ...


class Objects:
    """Any thread may call any method."""

    def __init__(self, address: str) -> None:
        import obstore  # an extra, which takes long to import

        self._obstore = obstore
        self._errors = obstore.exceptions
        self.address = address
        try:
            self._store: Any = open_object_store(
                address, timeout_secs=TIMEOUT_SECS, max_retries=MAX_RETRIES, retry_secs=RETRY_SECS
            )
        except (self._errors.BaseError, ValueError) as error:
            raise self._failure(error) from None

    def pages(self, folder: str = "") -> Iterator[list[ObjectInfo]]:
        """The objects below a folder, by one request for each page. Raises BucketError, also between two pages."""
        try:
            for page in self._obstore.list(self._store, folder or None, chunk_size=LIST_PAGE):
                yield [info_of(entry) for entry in page]
        except self._errors.BaseError as error:
            raise self._failure(error) from None

    def read(self, wanted: ObjectInfo, start: int, stop: int) -> bytes:
        """Bytes of exactly the version that was listed. Raises ChangedError, RefusedError or BucketError."""
        options: GetOptions = {"range": (start, stop)}
        if not wanted.version.startswith(BY_TIME):
            options["if_match"] = wanted.version
        try:
            return bytes(self._obstore.get(self._store, wanted.key, options=options).bytes())
        except (self._errors.PreconditionError, self._errors.NotFoundError, FileNotFoundError):
            raise ChangedError(wanted.key) from None
        except self._errors.PermissionDeniedError as error:
            raise RefusedError(failure_reason(error)) from None
        except self._errors.BaseError as error:
            raise self._failure(error) from None

    def write(self, key: str, data: bytes) -> None:
        """Raises BucketError."""
        try:
            self._obstore.put(self._store, key, data)
        except self._errors.BaseError as error:
            raise self._failure(error, "written") from None

    def delete(self, keys: Sequence[str]) -> None:
        """Objects that are not there count as deleted. Raises BucketError."""
        try:
            self._obstore.delete(self._store, keys)
        except (self._errors.NotFoundError, FileNotFoundError):
            pass
        except self._errors.BaseError as error:
            raise self._failure(error, "written") from None

    def _failure(self, error: Exception, what: str = "read") -> BucketError:
        return BucketError(f"the bucket cannot be {what} ({failure_reason(error)}): '{self.address}'")


def info_of(entry: Mapping[str, Any]) -> ObjectInfo:
    modified = entry["last_modified"].timestamp()
    version = entry["e_tag"] or f"{BY_TIME}{modified}-{entry['size']}"
    return ObjectInfo(entry["path"], entry["size"], version, modified)
