"""Finds faults of an encoded image or video without decoding it: cut off, damaged, or of an unknown type.

Browsers show the rest of such a file without a message.
"""

import struct
import zlib
from collections.abc import Iterator

from seamark.kinds.image import UNKNOWN_MIME, sniff

PNG_HEAD_BYTES = 8
# Some writers add padding after the end mark.
TAIL_BYTES = 4096


def fault_of(data: bytes) -> str:
    """A sentence about the fault, or "" if there is none."""
    if not data:
        return "the image is empty: it has no bytes"
    match sniff(data):
        case "image/png":
            return _png_fault(data)
        case "image/jpeg":
            return _end_fault("JPEG", data, b"\xff\xd9")
        case "image/gif":
            return _end_fault("GIF", data, b";")
        case "image/webp":
            return _length_fault("WebP", data, 8 + _number("<I", data, 4))
        case "image/bmp":
            return _length_fault("BMP", data, _number("<I", data, 2))
        case "video/mp4":
            return _mp4_fault(data)
        case mime if mime == UNKNOWN_MIME:
            start = " ".join(f"{byte:02x}" for byte in data[:8])
            return f"unknown type of image or video: it begins with {start}, want PNG, JPEG, GIF, WebP, BMP, MP4, WebM"
    return ""


def _number(form: str, data: bytes, offset: int) -> int:
    return int(struct.unpack_from(form, data, offset)[0]) if len(data) >= offset + struct.calcsize(form) else 0


def _length_fault(name: str, data: bytes, wanted: int) -> str:
    return f"the {name} is cut off: it has {len(data):,} bytes, want {wanted:,}" if len(data) < wanted else ""


def _end_fault(name: str, data: bytes, mark: bytes) -> str:
    tail = data[-TAIL_BYTES:].rstrip(b"\0")
    # A mark of a single byte may occur anywhere, so it must be the last byte.
    if tail.endswith(mark) or (len(mark) > 1 and mark in tail):
        return ""
    return f"the {name} is cut off: it ends after {len(data):,} bytes without its end mark"


def _png_fault(data: bytes) -> str:
    at = PNG_HEAD_BYTES
    while at + 12 <= len(data):
        length = _number(">I", data, at)
        name = data[at + 4 : at + 8]
        end = at + 12 + length
        if end > len(data):
            break
        if zlib.crc32(memoryview(data)[at + 4 : end - 4]) != _number(">I", data, end - 4):
            return f"the PNG is damaged: wrong checksum in its {_printed(name)} chunk at byte {at:,}"
        if name == b"IEND":
            return ""
        at = end
    where = (
        f"in the middle of its {_printed(data[at + 4 : at + 8])} chunk" if at + 8 <= len(data) else "between two chunks"
    )
    return f"the PNG is cut off: it ends after {len(data):,} bytes, {where}"


def _mp4_fault(data: bytes) -> str:
    names = set()
    for name, at, end in _boxes(data):
        names.add(name)
        if end > len(data):
            wanted = f"want at least {end:,} for its {_printed(name)} box at byte {at:,}"
            return f"the MP4 is cut off: it has {len(data):,} bytes, {wanted}"
    return "" if names & {b"moov", b"moof"} else "the MP4 cannot be played: it has no index (moov)"


def _boxes(data: bytes) -> Iterator[tuple[bytes, int, int]]:
    """The names, starts and ends of the outermost boxes."""
    at = 0
    while at + 8 <= len(data):
        length = _number(">I", data, at)
        if length == 1:
            length = _number(">Q", data, at + 8)
        elif length == 0:  # to the end of the file
            length = len(data) - at
        if length < 8:
            return
        yield data[at + 4 : at + 8], at, at + length
        at += length


def _printed(name: bytes) -> str:
    return name.decode("ascii") if name.isalnum() else name.hex()
