"""Fingerprints of the beginnings of files."""

from __future__ import annotations

import os
from pathlib import Path

from seamark.upload.fingerprint import WHOLE_BYTES, exact_hash, fingerprint
from seamark.upload.wire import hash_bytes


def of(path: Path, length: int) -> bytes:
    with path.open("rb") as file:
        return fingerprint(file.fileno(), length)


def test_the_same_beginning_has_the_same_fingerprint_and_another_has_not(tmp_path: Path) -> None:
    data = os.urandom(3 * WHOLE_BYTES)
    one, longer = tmp_path / "one", tmp_path / "longer"
    for length in (0, 1, WHOLE_BYTES, WHOLE_BYTES + 1, len(data)):
        one.write_bytes(data[:length])
        longer.write_bytes(data[:length] + b"more")
        assert of(one, length) == of(longer, length)
        if length:
            assert of(one, length) != of(one, length - 1)
            longer.write_bytes(bytes([data[0] ^ 1]) + data[1:length])
            assert of(one, length) != of(longer, length)
            longer.write_bytes(data[: length - 1] + bytes([data[length - 1] ^ 1]))
            assert of(one, length) != of(longer, length)


def test_every_byte_of_a_small_file_counts(tmp_path: Path) -> None:
    path = tmp_path / "file"
    data = bytearray(os.urandom(5000))
    path.write_bytes(data)
    before = of(path, len(data))
    data[2500] ^= 1
    path.write_bytes(data)
    assert of(path, len(data)) != before


def test_the_exact_hash_is_that_of_the_bytes_and_a_short_file_equals_none(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"hello")
    with path.open("rb") as file:
        assert exact_hash(file.fileno(), 5) == hash_bytes(b"hello")
        assert exact_hash(file.fileno(), 9) not in (hash_bytes(b"hello"), hash_bytes(b"hello\0\0\0\0"))
