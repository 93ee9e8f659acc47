"""The binding: that Python sees what the C++ tests have shown the core to do."""

import math
import mmap
import struct
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from seamark import _core

Rows = list[tuple[bytes, int, float, float]]


def event_file(rows: Rows) -> bytes:
    parts = [_core.encode_file_version(1.0)]
    parts += [_core.encode_scalar(tag, value, step, wall) for tag, step, wall, value in rows]
    return b"".join(parts)


def scanned(data: bytes) -> tuple[_core.Scanner, _core.Stripe]:
    scanner = _core.Scanner()
    assert scanner.scan(data, 0) == len(data)
    stripe = scanner.take_stripe()
    assert stripe is not None
    return scanner, _core.Stripe(stripe, verify=True)


def view_of(steps: list[int], values: list[float] | None = None, walls: list[float] | None = None) -> _core.SeriesView:
    count = len(steps)
    data = _core.encode_scalars(
        [b"x"],
        np.zeros(count, np.uint32),
        np.array(steps, np.int64),
        np.arange(count, dtype=np.float64) if walls is None else np.array(walls),
        np.arange(count, dtype=np.float64) if values is None else np.array(values),
    )
    return _core.SeriesView([(scanned(data)[1], 0)])


def ask(series: list[_core.SeriesView], **changes: Any) -> dict[str, NDArray[Any]]:
    query: dict[str, Any] = {
        "axis": _core.AXIS_STEP,
        "start": None,
        "stop": None,
        "max_points": 0,
        "smoothing": 0.0,
        "attempts": _core.ATTEMPTS_LATEST,
        "edges": False,
    }
    return _core.window(series, **(query | changes))


def test_checksums_take_anything_with_a_buffer() -> None:
    assert _core.CRC32C_BACKEND in {"sse4.2", "armv8", "software"}
    for data in (
        b"123456789",
        bytearray(b"123456789"),
        memoryview(b"123456789"),
        np.frombuffer(b"123456789", np.uint8),
    ):
        assert _core.crc32c(data) == 0xE3069283
    assert _core.crc32c(b"6789", _core.crc32c(b"12345")) == 0xE3069283
    assert _core.masked_crc32c(b"") == 0xA282EAD8
    with pytest.raises(BufferError):
        _core.crc32c(memoryview(b"123456")[::2])
    with pytest.raises(TypeError):
        _core.crc32c("text")  # type: ignore[arg-type]


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
    assert scanner.status == _core.SCAN_OK
    assert (scanner.events, scanner.records, scanner.problem_count, scanner.pending_rows) == (4, 4, 0, 0)
    assert scanner.file_version == b"brain.Event:2"
    assert scanner.source_writer == b""
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
        at += scanner.scan(memoryview(data)[at:end], at)
    found = scanner.take_stripe()
    assert found is not None
    for got, expected in zip(_core.Stripe(found).scalars(), want.scalars(), strict=True):
        np.testing.assert_array_equal(got, expected)


def test_an_absurd_length_asks_for_more_and_allocates_nothing() -> None:
    length = struct.pack("<Q", 1 << 63)
    scanner = _core.Scanner()
    assert scanner.scan(length + struct.pack("<I", _core.masked_crc32c(length)), 0) == 0
    assert (scanner.status, scanner.needed) == (_core.SCAN_NEED_MORE, (1 << 63) + 16)
    length = b"\xff" * 8
    scanner.scan(length + struct.pack("<I", _core.masked_crc32c(length)), 0)
    assert scanner.needed == 2**64 - 1


def test_damage_is_reported_with_its_place() -> None:
    good = _core.encode_scalar(b"a", 1.0, 1, 1.0)
    bad = bytearray(good)
    bad[-1] ^= 1
    scanner = _core.Scanner()
    data = good + bytes(bad) + good + _core.frame(b"\x0a") + b"\0" * 12
    assert scanner.scan(data, 0) == len(data) - 12
    assert scanner.status == _core.SCAN_CORRUPT
    problems = scanner.take_problems()
    assert [problem[0] for problem in problems] == [
        _core.PROBLEM_DATA_CRC,
        _core.PROBLEM_BAD_EVENT,
        _core.PROBLEM_LENGTH_CRC,
    ]
    assert problems[0][1:3] == (len(good), len(good) - 16)
    assert problems[0][3] ^ problems[0][4] == 1 << 24
    assert (scanner.take_problems(), scanner.problem_count, scanner.pending_rows) == ([], 3, 2)


def test_a_full_scanner_waits_to_be_emptied() -> None:
    data = event_file([(b"a", step, 0.0, 0.0) for step in range(10)])
    scanner = _core.Scanner(max_rows=4)
    at, rows = 0, []
    while True:
        at += scanner.scan(memoryview(data)[at:], at)
        rows.append(scanner.pending_rows)
        scanner.take_stripe()
        if scanner.status != _core.SCAN_FULL:
            break
    assert (at, rows) == (len(data), [4, 4, 2])


def test_a_restored_scanner_keeps_the_ids() -> None:
    scanner = _core.Scanner([(b"a", _core.FORM_SCALAR, b""), (b"a", _core.FORM_IMAGE, b"")])
    scanner.scan(event_file([(b"b", 0, 0.0, 0.0), (b"a", 0, 0.0, 0.0)]), 0)
    assert scanner.series(2) == [(b"b", _core.FORM_SCALAR, b"")]
    with pytest.raises(ValueError, match="no such form"):
        _core.Scanner([(b"a", 7, b"")])


def test_columns_of_a_stripe_are_read_only_views_that_keep_it_alive() -> None:
    _, stripe = scanned(event_file([(b"a", 7, 0.0, 0.0)]))
    steps, _, _ = stripe.scalars()
    del stripe
    assert not steps.flags.writeable
    assert not steps.flags.owndata
    assert steps.tolist() == [7]


def test_a_stripe_lives_in_a_mapped_file(tmp_path: Path) -> None:
    scanner = _core.Scanner()
    scanner.scan(event_file([(b"a", step, 0.0, step) for step in range(1000)]), 0)
    block = scanner.take_stripe()
    assert block is not None
    path = tmp_path / "chunk"
    path.write_bytes(block.tobytes() * 2)
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        size = _core.stripe_size(mapped[: _core.STRIPE_HEADER_BYTES])
        assert size == block.nbytes
        with memoryview(mapped) as whole:
            second = _core.Stripe(whole[size:], verify=True)
            assert (second.nbytes, second.scalar_rows) == (size, 1000)
            view = _core.SeriesView([(second, 0)])
            del second
            assert view.last() == (999, 0.0, 999.0)
            del view


def test_a_damaged_stripe_is_refused_in_a_sentence() -> None:
    scanner = _core.Scanner()
    scanner.scan(event_file([(b"a", 1, 0.0, 0.0)]), 0)
    block = scanner.take_stripe()
    assert block is not None
    for cut in range(0, block.nbytes, 8):
        with pytest.raises(ValueError, match="stripe"):
            _core.Stripe(block[:cut])
    with pytest.raises(ValueError, match="not a stripe"):
        _core.Stripe(b"\0" * 64)
    damaged = bytearray(block)
    damaged[-1] ^= 1
    _core.Stripe(damaged)
    with pytest.raises(ValueError, match="checksum"):
        _core.Stripe(damaged, verify=True)
    damaged[8] += 1
    with pytest.raises(ValueError, match="version"):
        _core.stripe_size(damaged)


def test_merged_stripes_hold_the_rows_of_all_in_order() -> None:
    parts = [scanned(event_file([(b"a", step, 0.0, step), (b"b", step, 0.0, -step)]))[1] for step in range(5)]
    merged = _core.Stripe(_core.merge_stripes(parts), verify=True)
    assert merged.scalars()[2].tolist() == [0, 1, 2, 3, 4, 0, -1, -2, -3, -4]
    assert _core.Stripe(_core.merge_stripes([])).scalar_rows == 0


def test_a_series_over_several_stripes() -> None:
    one = scanned(event_file([(b"a", 0, 5.0, 1.0), (b"a", 1, 6.0, 2.0)]))[1]
    other = scanned(event_file([(b"z", 0, 0.0, 0.0)]))[1]
    series = _core.SeriesView([(one, 0), (other, 9), (one, 0)], [(0, 0, 0, 0), (2, 0, 1, None)])
    assert (series.count, series.counted, series.attempts, series.last()) == (4, 2, 2, (1, 6.0, 2.0))
    assert series.stats() == (4, 2, 0, 1, 5.0, 6.0, 2.0, 1.0, 2.0, 0, 0, 0)
    steps, walls, values, attempt = series.columns(all_attempts=False)
    assert (steps.tolist(), walls.tolist(), values.tolist(), attempt.tolist()) == ([0, 1], [5, 6], [1, 2], [1, 1])
    assert series.columns(all_attempts=True)[3].tolist() == [0, 0, 1, 1]
    table = _core.series_stats([series, _core.SeriesView([])])
    assert table["count"].tolist() == [4, 0]
    assert len(table) == len(series.stats())
    for column, value in zip(table.values(), series.stats(), strict=True):
        assert column[0] == value
    with pytest.raises(ValueError, match="no points"):
        _core.SeriesView([]).last()


def test_a_window_gives_points_while_they_fit_and_columns_beyond() -> None:
    series = view_of(list(range(1000)))
    points = ask([series], start=10, stop=19, max_points=10, edges=True)
    assert points["step"].tolist() == list(range(9, 21))
    assert points["count"].tolist() == [1] * 12
    assert (points["points"].tolist(), points["total"].tolist(), points["stored"].tolist()) == ([10], [1000], [1000])
    assert "smoothed" not in points
    assert "attempt" not in points
    columns = ask([series, series], max_points=10, smoothing=0.5, attempts=_core.ATTEMPTS_MARKED)
    assert columns["offsets"].tolist() == [0, 10, 20]
    assert columns["count"].tolist() == [100] * 20
    assert columns["max"][:10].tolist() == list(range(99, 1000, 100))
    np.testing.assert_allclose(columns["smoothed"][:10], _core.smooth(np.arange(1000.0), 0.5)[99::100], rtol=1e-12)
    types = {name: str(column.dtype) for name, column in columns.items()}
    assert types == {
        **dict.fromkeys(("offsets", "points", "total", "stored"), "uint64"),
        **dict.fromkeys(("step", "step_last"), "int64"),
        **dict.fromkeys(("wall", "wall_last", "first", "last", "min", "max", "mean", "smoothed"), "float64"),
        **dict.fromkeys(("count", "nan", "posinf", "neginf", "attempt", "replaced"), "uint32"),
    }


def test_a_window_counts_what_is_not_finite() -> None:
    series = view_of([0, 1, 2, 3], [float("nan"), float("inf"), float("-inf"), 2.0])
    row = ask([series], max_points=1)
    assert [int(row[name][0]) for name in ("count", "nan", "posinf", "neginf")] == [4, 1, 1, 1]
    assert (row["min"][0], row["max"][0], row["mean"][0], row["last"][0]) == (2.0, 2.0, 2.0, 2.0)


def test_windows_of_odd_ranges_are_empty_not_wrong() -> None:
    series = view_of(list(range(100)))
    assert len(ask([series], start=5, stop=4, max_points=10, edges=True)["step"]) == 0
    assert ask([series], start=5, stop=5, max_points=10)["step"].tolist() == [5]
    assert len(ask([], max_points=10)["step"]) == 0
    assert len(ask([_core.SeriesView([])], max_points=10)["step"]) == 0
    with pytest.raises(ValueError, match="axis"):
        ask([series], axis=3)
    with pytest.raises(ValueError, match="smoothing"):
        ask([series], smoothing=1.5)


def test_attempts_in_a_window() -> None:
    stripe = scanned(event_file([(b"a", step, 0.0, at) for at, step in enumerate([0, 1, 2, 1, 2, 3])]))[1]
    plain = _core.SeriesView([(stripe, 0)])
    assert ask([plain])["step"].tolist() == [0, 1, 1, 2, 2, 3]
    assert not plain.is_in_order(attempts=_core.ATTEMPTS_LATEST)
    series = _core.SeriesView([(stripe, 0)], [(0, 0, 0, 1), (0, 3, 1, None)])
    assert ask([series])["first"].tolist() == [0, 3, 4, 5]
    both = ask([series], attempts=_core.ATTEMPTS_ALL)
    assert both["attempt"].tolist() == [0, 0, 0, 1, 1, 1]
    marked = ask([series], attempts=_core.ATTEMPTS_MARKED)
    assert marked["first"].tolist() == [1, 2, 0, 3, 4, 5]
    assert marked["replaced"].tolist() == [1, 1, 0, 0, 0, 0]
    assert marked["attempt"].tolist() == [0, 0, 1, 1, 1, 1]


def test_spans_that_begin_nowhere_are_refused() -> None:
    stripe = scanned(event_file([(b"a", 0, 0.0, 0.0)]))[1]
    with pytest.raises(ValueError, match="behind the last part"):
        _core.SeriesView([(stripe, 0)], [(5, 0, 0, None)])


def test_a_stripe_knows_the_steps_of_its_groups() -> None:
    stripe = scanned(event_file([(b"a", 4, 0.0, 0.0), (b"b", 9, 0.0, 0.0), (b"a", 2, 0.0, 0.0)]))[1]
    assert [column.tolist() for column in stripe.scalar_step_ranges()] == [[2, 9], [4, 9]]
    assert [column.tolist() for column in stripe.payload_step_ranges()] == [[], []]


def test_smoothing_is_tensorboards() -> None:
    values: NDArray[np.float64] = np.array([1.0, np.nan, 3.0, np.inf, 2.0])
    last, count, want = 0.0, 0, []
    for value in values:
        if not np.isfinite(value):
            want.append(value)
            continue
        last = last * 0.6 + (1 - 0.6) * value
        count += 1
        want.append(last / (1 - 0.6**count))
    np.testing.assert_allclose(_core.smooth(values, 0.6), want, rtol=1e-15)
    np.testing.assert_array_equal(_core.smooth(np.full(9, 0.1), 0.9), np.full(9, 0.1))


def test_encoding_refuses_columns_that_do_not_fit() -> None:
    column = np.zeros(2)
    with pytest.raises(ValueError, match="one length"):
        _core.encode_scalars([b"a"], np.zeros(2, np.uint32), np.zeros(1, np.int64), column, column)
    with pytest.raises(ValueError, match="beyond"):
        _core.encode_scalars([b"a"], np.array([0, 1], np.uint32), np.zeros(2, np.int64), column, column)


def test_many_threads_may_ask_one_series() -> None:
    series = view_of(list(range(20000)))
    want = ask([series], max_points=100)["mean"].tolist()
    failures: list[int] = []

    def work() -> None:
        failures.extend(n for n in range(20) if ask([series], max_points=100)["mean"].tolist() != want)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


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
