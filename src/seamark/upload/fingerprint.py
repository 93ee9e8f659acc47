"""Fingerprints: tell whether two files begin with the same bytes, without reading gigabytes.

Of up to a megabyte every byte counts. Of more, blocks at both ends and evenly in between do: a file that was written
again has another beginning, and an event file is only ever appended to.
"""

from __future__ import annotations

import os
from hashlib import blake2b

from seamark.upload.wire import HASH_BYTES

WHOLE_BYTES = 1 << 20
BLOCK_BYTES = 64 << 10
BLOCKS = WHOLE_BYTES // BLOCK_BYTES


def fingerprint(descriptor: int, length: int) -> bytes:
    """Of the first `length` bytes of an open file, which has as many."""
    digest = blake2b(length.to_bytes(8, "little"), digest_size=HASH_BYTES)
    if length <= WHOLE_BYTES:
        _feed(digest, descriptor, 0, length)
    else:
        for number in range(BLOCKS):
            _feed(digest, descriptor, number * (length - BLOCK_BYTES) // (BLOCKS - 1), BLOCK_BYTES)
    return digest.digest()


def exact_hash(descriptor: int, length: int) -> bytes:
    """As `wire.hash_bytes` of the first `length` bytes."""
    digest = blake2b(digest_size=HASH_BYTES)
    _feed(digest, descriptor, 0, length)
    return digest.digest()


def _feed(digest: blake2b, descriptor: int, offset: int, length: int) -> None:
    end = offset + length
    while offset < end:
        block = os.pread(descriptor, min(WHOLE_BYTES, end - offset), offset)
        if not block:  # the file was cut short: its hash differs from every other
            digest.update(b"\0cut short")
            return
        digest.update(block)
        offset += len(block)
