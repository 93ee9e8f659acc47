"""Faults of images and videos are found, and complete files have none."""

from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from seamark.kinds.image import sniff
from seamark.kinds.media.image_faults import fault_of

FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "BMP")


def picture(file_format: str) -> bytes:
    out = BytesIO()
    pixels = np.random.default_rng(0).integers(0, 255, (20, 30, 3), dtype=np.uint8)
    Image.fromarray(pixels).save(out, format=file_format)
    return out.getvalue()


def box(name: bytes, content: bytes) -> bytes:
    return (8 + len(content)).to_bytes(4, "big") + name + content


MP4 = box(b"ftyp", b"isom\0\0\2\0") + box(b"moov", b"\0" * 40) + box(b"mdat", b"\1" * 100)


@pytest.mark.parametrize("file_format", FORMATS)
def test_a_complete_file_has_no_fault_and_a_truncated_one_is_reported(file_format: str) -> None:
    data = picture(file_format)
    assert fault_of(data) == ""
    assert "cut off" in fault_of(data[: len(data) // 2])
    for length in range(len(data)):
        fault_of(data[:length])  # however short: a sentence, no exception


def test_the_fault_of_a_png_names_the_chunk() -> None:
    data = picture("PNG")
    assert (
        fault_of(data[:-20])
        == f"the PNG is cut off: it ends after {len(data) - 20:,} bytes, in the middle of its IDAT chunk"
    )
    assert fault_of(data[:-12]).endswith("between two chunks")
    flipped = bytearray(data)
    flipped[60] ^= 1
    assert fault_of(bytes(flipped)) == "the PNG is damaged: wrong checksum in its IDAT chunk at byte 33"


def test_padding_after_the_end_is_allowed() -> None:
    assert fault_of(picture("JPEG") + b"\0" * 100) == ""
    assert fault_of(picture("GIF") + b"\0") == ""


def test_videos_are_recognised_and_stills_in_the_same_container_are_not() -> None:
    assert sniff(MP4) == "video/mp4"
    assert sniff(b"\x1aE\xdf\xa3\x9f") == "video/webm"
    assert sniff(box(b"ftyp", b"avif\0\0\0\0")) == "application/octet-stream"
    assert fault_of(MP4) == ""
    assert "want at least 172 for its mdat box at byte 64" in fault_of(MP4[:100])
    assert "no index" in fault_of(MP4[:16] + box(b"mdat", b"x"))


def test_unknown_types_are_reported_with_their_first_bytes() -> None:
    assert fault_of(b"<script>alert(1)</script>").startswith(
        "unknown type of image or video: it begins with 3c 73 63 72"
    )
    assert "no bytes" in fault_of(b"")
