"""Blobs of a site are compressed so that several can be decompressed as one stream."""

from __future__ import annotations

import zlib

import pytest

from seamark.format.site_files import RAW_DEFLATE, STREAM_END, deflate, inflate

CONTENTS = [b"", b"a", b"abc" * 1000, bytes(range(256)) * 500]


@pytest.mark.parametrize("content", CONTENTS)
def test_content_comes_back(content: bytes) -> None:
    assert inflate(deflate(content)) == content
    assert inflate(deflate(content), max_bytes=len(content) + 1) == content


def test_blobs_one_after_the_other_are_one_stream() -> None:
    stream = b"".join(map(deflate, CONTENTS)) + STREAM_END
    assert zlib.decompress(stream, RAW_DEFLATE) == b"".join(CONTENTS)


def test_what_is_larger_than_allowed_or_cut_is_an_error() -> None:
    with pytest.raises(ValueError, match="larger than it says"):
        inflate(deflate(bytes(10_000)), max_bytes=100)
    with pytest.raises(ValueError, match="damaged"):
        inflate(deflate(bytes(range(256)) * 9)[:200])
