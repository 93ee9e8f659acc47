"""The bindings that encode and scan event files."""

import math
import struct
from pathlib import Path

import numpy as np
import pytest

from seamark import _core
from seamark.test_core_support import event_file, scanned


def test_checksums_take_anything_with_a_buffer() -> None:
    for data in (
        b"123456789",
        bytearray(b"123456789"),
        memoryview(b"123456789"),
        np.frombuffer(b"123456789", np.uint8),
    ):
        assert _core.masked_crc32c(data) == 0xC78AB0E5
    assert _core.masked_crc32c(b"") == 0xA282EAD8
    with pytest.raises(BufferError):
        _core.masked_crc32c(memoryview(b"123456")[::2])
    with pytest.raises(TypeError):
        _core.masked_crc32c("text")  # type: ignore[arg-type]


def test_a_frame_is_a_tfrecord() -> None:
    framed = _core.frame(b"hello")
    length = struct.pack("<Q", 5)
    assert framed == (
        length
        + struct.pack("<I", _core.masked_crc32c(length))
        + b"hello"
        + struct.pack("<I", _core.masked_crc32c(b"hello"))
    )


def test_written_scalars_are_read_back() -> None:
    scanner, stripe = scanned(event_file([(b"a", 1, 10.0, 0.5), (b"b", 1, 10.0, 1.5), (b"a", -2, 11.0, float("nan"))]))
    assert (scanner.events, scanner.problem_count) == (4, 0)
    assert scanner.file_version == b"brain.Event:2"
    assert scanner.series() == [(b"a", _core.FORM_SCALAR, b""), (b"b", _core.FORM_SCALAR, b"")]
    assert scanner.series(1) == [(b"b", _core.FORM_SCALAR, b"")]
    assert scanner.series_count == 2
    ids, starts, counts = stripe.scalar_groups()
    assert (ids.tolist(), starts.tolist(), counts.tolist()) == ([0, 1], [0, 2], [2, 1])
    steps, walls, values = stripe.scalars()
    assert steps.tolist() == [1, -2, 1]
    assert walls.tolist() == [10.0, 11.0, 10.0]
    np.testing.assert_array_equal(values, [0.5, np.nan, 1.5])
    assert (stripe.scalar_rows, stripe.payload_rows) == (3, 0)
    assert scanner.take_stripe() is None


def test_the_first_wall_time_is_that_of_the_file_version() -> None:
    scanner = _core.Scanner()
    assert math.isnan(scanner.first_wall)
    scanner.scan(_core.encode_file_version(7.0) + _core.encode_scalar(b"a", 1.0, 0, 3.0), 0)
    assert scanner.first_wall == 7.0


def test_payloads_are_positions_in_the_file() -> None:
    data = _core.encode_file_version(1.0) + _core.frame(b"\x09" + struct.pack("<d", 5.0) + b"\x22\x05graph")
    scanner = _core.Scanner()
    scanner.scan(data, 1000)
    found = scanner.take_stripe()
    assert found is not None
    stripe = _core.Stripe(found)
    assert scanner.series() == [(b"", _core.FORM_GRAPH_DEF, b"")]
    steps, walls, offsets, lengths = stripe.payloads()
    assert (steps.tolist(), walls.tolist(), lengths.tolist()) == ([0], [5.0], [5])
    assert data[int(offsets[0]) - 1000 :][:5] == b"graph"
    assert [column.tolist() for column in stripe.payload_groups()] == [[0], [0], [1]]


def test_a_file_read_byte_by_byte_gives_the_same_rows() -> None:
    data = event_file([(b"a", step, float(step), step * 0.5) for step in range(20)])
    want = scanned(data)[1]
    scanner = _core.Scanner()
    at = 0
    for end in range(len(data) + 1):
        at += scanner.scan(memoryview(data)[at:end], at).consumed
    found = scanner.take_stripe()
    assert found is not None
    for got, expected in zip(_core.Stripe(found).scalars(), want.scalars(), strict=True):
        np.testing.assert_array_equal(got, expected)


def test_an_absurd_length_asks_for_more_and_allocates_nothing() -> None:
    length = struct.pack("<Q", 1 << 63)
    scanner = _core.Scanner()
    result = scanner.scan(length + struct.pack("<I", _core.masked_crc32c(length)), 0)
    assert (result.consumed, result.status, result.needed_bytes) == (0, _core.SCAN_INCOMPLETE, (1 << 63) + 16)
    length = b"\xff" * 8
    result = scanner.scan(length + struct.pack("<I", _core.masked_crc32c(length)), 0)
    assert result.needed_bytes == 2**64 - 1


def test_damage_is_reported_with_its_position() -> None:
    good = _core.encode_scalar(b"a", 1.0, 1, 1.0)
    bad = bytearray(good)
    bad[-1] ^= 1
    scanner = _core.Scanner()
    data = good + bytes(bad) + good + _core.frame(b"\x0a") + b"\0" * 12
    result = scanner.scan(data, 0)
    assert (result.consumed, result.status) == (len(data) - 12, _core.SCAN_CORRUPT)
    problems = scanner.take_problems()
    assert [problem[0] for problem in problems] == [
        _core.PROBLEM_DATA_CRC,
        _core.PROBLEM_BAD_EVENT,
        _core.PROBLEM_LENGTH_CRC,
    ]
    assert problems[0][1:3] == (len(good), len(good) - 16)
    assert problems[0][3] ^ problems[0][4] == 1 << 24
    assert (scanner.take_problems(), scanner.problem_count) == ([], 3)


def test_a_full_scanner_continues_once_its_rows_are_taken() -> None:
    data = event_file([(b"a", step, 0.0, 0.0) for step in range(10)])
    scanner = _core.Scanner(max_rows=4)
    at, rows, status = 0, [], _core.SCAN_FULL
    while status == _core.SCAN_FULL:
        result = scanner.scan(memoryview(data)[at:], at)
        at, status = at + result.consumed, result.status
        stripe = scanner.take_stripe()
        assert stripe is not None
        rows.append(_core.Stripe(stripe).scalar_rows)
    assert (at, rows, status) == (len(data), [4, 4, 2], _core.SCAN_OK)


def test_a_restored_scanner_keeps_the_ids() -> None:
    scanner = _core.Scanner([(b"a", _core.FORM_SCALAR, b""), (b"a", _core.FORM_IMAGE, b"")])
    scanner.scan(event_file([(b"b", 0, 0.0, 0.0), (b"a", 0, 0.0, 0.0)]), 0)
    assert scanner.series(2) == [(b"b", _core.FORM_SCALAR, b"")]
    with pytest.raises(ValueError, match="no such form"):
        _core.Scanner([(b"a", 7, b"")])


def test_encoding_rejects_columns_that_do_not_match() -> None:
    column = np.zeros(2)
    with pytest.raises(ValueError, match="one length"):
        _core.encode_scalars([b"a"], np.zeros(2, np.uint32), np.zeros(1, np.int64), column, column)
    with pytest.raises(ValueError, match="beyond"):
        _core.encode_scalars([b"a"], np.array([0, 1], np.uint32), np.zeros(2, np.int64), column, column)


def test_tensorboard_reads_what_we_encode(tmp_path: Path) -> None:
    loader = pytest.importorskip("tensorboard.backend.event_processing.event_file_loader")
    path = tmp_path / "events.out.tfevents.1.host"
    path.write_bytes(event_file([(b"loss", -3, 12.5, 0.1), ("größe".encode(), 1 << 40, 0.0, float("inf"))]))
    events = list(loader.RawEventFileLoader(str(path)).Load())
    assert len(events) == 3
    event_pb2 = pytest.importorskip("tensorboard.compat.proto.event_pb2")
    first, second = (event_pb2.Event.FromString(event) for event in events[1:])
    assert (first.step, first.wall_time, first.summary.value[0].tag) == (-3, 12.5, "loss")
    assert first.summary.value[0].simple_value == np.float32(0.1)
    assert (second.step, second.summary.value[0].tag) == (1 << 40, "größe")
