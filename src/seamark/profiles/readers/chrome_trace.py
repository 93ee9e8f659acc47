"""Reads a Chrome trace, plain or gzip, block by block through the native scanner."""

from __future__ import annotations

import json
import queue
import threading
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, NamedTuple, Protocol

import msgspec

from seamark._core import JsonTraceScanner, TraceColumns
from seamark.profiles.form import ProfileError
from seamark.profiles.readers.native_trace import ReadTrace

BLOCK_BYTES = 4 << 20
COMPRESSED_BLOCK_BYTES = 1 << 20
BLOCKS_AHEAD = 3
DAMAGED_STEP_BYTES = 64
GZIP_MAGIC = b"\x1f\x8b"
# Times above this are since 1970 by themselves, whatever baseTimeNanoseconds says.
EPOCH_NS = 10**18

Progress = Callable[[int], None]


class ArgumentWriter(Protocol):
    def write(self, text: bytes, /) -> object: ...


class Block(NamedTuple):
    data: bytes
    position: int  # in the file


def is_gzip(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(2) == GZIP_MAGIC


def read_chrome_trace(path: Path, *, arguments: ArgumentWriter | None, progress: Progress) -> ReadTrace:
    """Copies the text of the arguments to a file, if there is one; else they are positions in `path`.

    Calls `progress` with the bytes of `path` that were read. Raises OSError, ProfileError.
    """
    problems: list[str] = []  # why the text ends early
    scanner = JsonTraceScanner(copies_arguments=arguments is not None)
    with path.open("rb") as file:
        blocks = decompressed_blocks(file, problems) if is_gzip(path) else plain_blocks(file)
        for block in blocks:
            scanner.feed(block.data)
            if arguments is not None:
                arguments.write(scanner.take_arguments())
            progress(block.position)
    return finish_scan(scanner, problems)


def finish_scan(scanner: JsonTraceScanner, problems: list[str]) -> ReadTrace:
    columns = scanner.finish()
    if scanner.is_json and scanner.ends_early and not problems:
        problems.append("the file is cut off")
    if not scanner.is_json:
        raise ProfileError("; ".join(["this is not JSON", *problems]))
    if not scanner.has_events:
        raise ProfileError("; ".join(["this JSON has no traceEvents", *problems]))
    sentences = [f"the trace ends early: {problem}; {_shown_before(scanner.events)}" for problem in problems]
    metadata = _decode_metadata(scanner.metadata())
    return ReadTrace(columns, _origin(columns, metadata), metadata, sentences + columns.problems())


def _shown_before(events: int) -> str:
    if events == 0:
        return "it has no whole event"
    return f"the {events:,} events before that are shown" if events > 1 else "the event before that is shown"


def plain_blocks(file: IO[bytes]) -> Iterator[Block]:
    position = 0
    while data := file.read(BLOCK_BYTES):
        position += len(data)
        yield Block(data, position)


def decompressed_blocks(file: IO[bytes], problems: list[str]) -> Iterator[Block]:
    """Decompresses in a thread of its own while the block before is scanned."""
    ahead: queue.Queue[Block | BaseException | None] = queue.Queue(BLOCKS_AHEAD)
    stop = threading.Event()

    def put(item: Block | BaseException | None) -> bool:
        while not stop.is_set():
            with suppress(queue.Full):
                ahead.put(item, timeout=0.5)
                return True
        return False

    def decompress() -> None:
        try:
            for block in inflate(file, problems):
                if not put(block):
                    return
            put(None)
        except BaseException as error:
            put(error)

    thread = threading.Thread(target=decompress, name="seamark-profile-inflate", daemon=True)
    thread.start()
    try:
        while (item := ahead.get()) is not None:
            if isinstance(item, BaseException):
                raise item
            yield item
    finally:
        stop.set()
        thread.join()


def inflate(file: IO[bytes], problems: list[str]) -> Iterator[Block]:
    """What can be decompressed; a file that is cut or damaged gives what comes before."""
    position = 0
    stream = zlib.decompressobj(wbits=31)
    while data := file.read(COMPRESSED_BLOCK_BYTES):
        position += len(data)
        while data:
            if stream.eof:
                if not data.startswith(GZIP_MAGIC):
                    return  # padding
                stream = zlib.decompressobj(wbits=31)
            before = stream.copy()
            try:
                decompressed = stream.decompress(data, BLOCK_BYTES)
            except zlib.error:
                problems.append("its compressed data is damaged")
                yield Block(_inflate_until_damage(before, data), position)
                return
            yield Block(decompressed, position)
            data = stream.unused_data if stream.eof else stream.unconsumed_tail
    if not stream.eof:
        if rest := stream.flush():
            yield Block(rest, position)
        problems.append("the compressed file is cut off")


def _inflate_until_damage(stream: Any, data: bytes) -> bytes:
    """An error loses what the call has decompressed, so this goes in small steps."""
    parts: list[bytes] = []
    with suppress(zlib.error):
        for start in range(0, len(data), DAMAGED_STEP_BYTES):
            parts.append(stream.decompress(data[start : start + DAMAGED_STEP_BYTES]))
    return b"".join(parts)


def _decode_metadata(members: list[tuple[str, bytes]]) -> dict[str, Any]:
    metadata: dict[str, Any] = {}
    for key, text in members:
        with suppress(ValueError, RecursionError):
            try:
                metadata[key] = msgspec.json.decode(text)
            except (msgspec.DecodeError, UnicodeDecodeError):
                metadata[key] = json.loads(text.decode(errors="replace"), strict=False)
    return metadata


def _origin(columns: TraceColumns, metadata: dict[str, Any]) -> int:
    base = metadata.get("baseTimeNanoseconds")
    if isinstance(base, str) and base.isdecimal():
        base = int(base)
    if not isinstance(base, int) or columns.origin_ns >= EPOCH_NS:
        return columns.origin_ns
    return columns.origin_ns + base
