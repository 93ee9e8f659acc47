"""The log files in a published site, with the interface of a bucket: list, and read a range of one version."""

from __future__ import annotations

import os
import re
import threading
from collections import OrderedDict
from collections.abc import Iterator

import msgspec

from seamark import _core
from seamark.format.seal import (
    NoCryptographyError,
    PassphraseSealer,
    PlainSealer,
    Sealer,
    WrongPassphraseError,
    unframe,
)
from seamark.format.site_files import (
    DATA,
    FORMAT,
    LOGS_KEY,
    MANIFEST,
    RECORDS_MEDIA,
    BlobPosition,
    LogFile,
    Manifest,
    SiteIndex,
    decode_records,
    inflate,
    positions,
)
from seamark.store.buckets.objects import BucketError, ChangedError, ObjectInfo
from seamark.store.buckets.site_host import NotThereError, SiteHost

PASSPHRASE_VARIABLE = "SEAMARK_PASSPHRASE"
MAX_MANIFEST_BYTES = 4 << 20
MAX_INDEX_BYTES = 256 << 20
MAX_BLOB_BYTES = 256 << 20
# A host that ignores ranges sends whole packs.
MAX_PACK_BYTES = 1 << 30
# More would only slow down who opens the site.
MAX_ITERATIONS = 10_000_000
PACK_NAME = re.compile(r"[0-9a-f]{32}")
# Blobs that are read one after the other lie side by side: a request reads this much of a pack.
SEGMENT_BYTES = 1 << 20
MAX_CACHED_BYTES = 64 << 20


class SiteObjects:
    """Any thread may call any method. What the host sends is checked and limited: it may be anybody's."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._host = SiteHost(address)
        self._lock = threading.Lock()
        self._etag = ""
        self._manifest: Manifest | None = None
        self._sealer: Sealer = PlainSealer()
        self._positions: dict[str, BlobPosition] = {}
        self._files: dict[str, LogFile] = {}
        self._segments = ByteCache()
        self._has_ranges = True

    def pages(self, folder: str = "") -> Iterator[list[ObjectInfo]]:
        """One page with everything below a folder. Raises BucketError."""
        self._update()
        files = [file for file in self._files.values() if not folder or file.path.startswith(f"{folder}/")]
        yield [ObjectInfo(file.path, file.size, file.version, file.modified) for file in files]

    def read(self, wanted: ObjectInfo, start: int, stop: int) -> bytes:
        """Bytes of exactly the version that was listed. Raises ChangedError or BucketError."""
        file = self._files.get(wanted.key)
        if file is None or file.version != wanted.version:
            raise ChangedError(wanted.key)
        parts, offset = [], 0
        for key, length in file.pieces:
            if offset < stop and offset + length > start:
                try:
                    content = self._blob(key, max_bytes=length)
                except NotThereError:  # it was published again; the next listing has the new files
                    raise ChangedError(wanted.key) from None
                if len(content) != length:
                    raise self._failure(f"a file of it is damaged: '{wanted.key}'")
                parts.append(content[max(0, start - offset) : stop - offset])
            offset += length
        return b"".join(parts)

    def _update(self) -> None:
        try:
            answer = self._host.get(MANIFEST, max_bytes=MAX_MANIFEST_BYTES, known_etag=self._etag)
            if answer is None:
                return
            manifest = self._checked(answer.content)
            if manifest != self._manifest:
                self._open(manifest)
            self._etag = answer.etag
        except NotThereError as error:
            raise self._failure(f"there is no '{error}' of a published site") from None
        except (WrongPassphraseError, NoCryptographyError) as error:
            raise self._failure(str(error)) from None
        except (ValueError, IndexError) as error:  # msgspec's errors are ValueErrors, too
            raise self._failure(f"it is damaged: {error}") from None

    def _checked(self, content: bytes) -> Manifest:
        try:
            manifest = msgspec.json.decode(content, type=Manifest)
        except msgspec.DecodeError:
            raise self._failure(f"'{MANIFEST}' is not that of a published site") from None
        if manifest.format != FORMAT:
            raise self._failure(f"its format is '{manifest.format[:40]}', and this version reads '{FORMAT}'")
        return manifest

    def _open(self, manifest: Manifest) -> None:
        sealer = self._sealer_of(manifest)
        self._segments.clear()
        framed = self._range(manifest.file, manifest.index.offset, manifest.index.length, MAX_INDEX_BYTES)
        opened = unframe(sealer.open(framed, manifest.file, manifest.index.offset))
        index = msgspec.json.decode(inflate(opened, max_bytes=MAX_INDEX_BYTES), type=SiteIndex)
        with self._lock:
            self._sealer, self._positions = sealer, dict(positions(index))
        lists = [key for key in self._positions if key.startswith(f"{LOGS_KEY}\0")]
        if not lists:
            raise self._failure("it was published without its logs; publish it with --logs")
        found = [file for key in lists for file in msgspec.json.decode(self._blob(key), type=list[LogFile])]
        self._files = {file.path: file for file in found}
        self._manifest = manifest

    def _sealer_of(self, manifest: Manifest) -> Sealer:
        encryption = manifest.encryption
        if encryption is None:
            return PlainSealer()
        if self._manifest is not None and self._manifest.encryption == encryption:
            return self._sealer
        passphrase = os.environ.get(PASSPHRASE_VARIABLE)
        if not passphrase:
            raise self._failure(f"it is encrypted; set {PASSPHRASE_VARIABLE} to its passphrase")
        if not 0 < encryption.iterations <= MAX_ITERATIONS:
            raise self._failure(f"its key takes {encryption.iterations:,} iterations, want at most {MAX_ITERATIONS:,}")
        try:
            return PassphraseSealer.of_site(passphrase, encryption)
        except WrongPassphraseError:
            raise self._failure(f"{PASSPHRASE_VARIABLE} is not its passphrase") from None

    def _blob(self, key: str, *, max_bytes: int = MAX_BLOB_BYTES) -> bytes:
        with self._lock:
            sealer, position = self._sealer, self._positions.get(key)
        if position is None:
            raise NotThereError(key)
        try:
            stored = self._range(position.file, position.offset, position.length, MAX_BLOB_BYTES)
            content = sealer.open(stored, position.file, position.offset)
            # Lengths of records and their frames are not longer than the records.
            content = inflate(content, max_bytes=2 * max_bytes + 64) if position.form.deflated else content
            return decode_records(content, _core.frame) if position.form.media == RECORDS_MEDIA else content
        except ValueError as error:
            raise self._failure(str(error)) from None

    def _range(self, file: str, offset: int, length: int, max_bytes: int) -> bytes:
        if not PACK_NAME.fullmatch(file) or offset < 0 or not 0 <= length <= max_bytes:
            raise ValueError("a position in it cannot be")
        parts = []
        for at in range(offset // SEGMENT_BYTES, -(-(offset + length) // SEGMENT_BYTES)):
            start = at * SEGMENT_BYTES
            parts.append(self._segment(file, at)[max(0, offset - start) : offset + length - start])
        content = b"".join(parts)
        if len(content) != length:
            raise ValueError(f"a file of it is cut short: '{file}'")
        return content

    def _segment(self, file: str, at: int) -> bytes:
        known = self._segments.get((file, at))
        if known is not None:
            return known
        start = at * SEGMENT_BYTES
        part = (start, start + SEGMENT_BYTES) if self._has_ranges else None
        answer = self._host.get(f"{DATA}/{file}.bin", max_bytes=MAX_PACK_BYTES, part=part)
        assert answer is not None  # no ETag was sent
        if answer.is_part:
            self._segments.put((file, at), answer.content)
            return answer.content
        self._has_ranges = False
        for begin in range(0, len(answer.content), SEGMENT_BYTES):
            self._segments.put((file, begin // SEGMENT_BYTES), answer.content[begin : begin + SEGMENT_BYTES])
        return answer.content[start : start + SEGMENT_BYTES]

    def _failure(self, reason: str) -> BucketError:
        return BucketError(f"the site cannot be read ({reason}): '{self.address}'")


class ByteCache:
    """Segments of packs, the least recently used dropped first. Any thread may call any method."""

    def __init__(self, max_bytes: int = MAX_CACHED_BYTES) -> None:
        self._lock = threading.Lock()
        self._entries: OrderedDict[tuple[str, int], bytes] = OrderedDict()
        self._max_bytes = max_bytes
        self._bytes = 0

    def get(self, key: tuple[str, int]) -> bytes | None:
        with self._lock:
            if key in self._entries:
                self._entries.move_to_end(key)
            return self._entries.get(key)

    def put(self, key: tuple[str, int], content: bytes) -> None:
        with self._lock:
            self._bytes += len(content) - len(self._entries.pop(key, b""))
            self._entries[key] = content
            while self._bytes > self._max_bytes and len(self._entries) > 1:
                self._bytes -= len(self._entries.popitem(last=False)[1])

    def clear(self) -> None:
        with self._lock:
            self._entries.clear()
            self._bytes = 0
