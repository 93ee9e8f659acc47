"""The bindings of stripes, series and windows."""

import math
import mmap
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from seamark import _core
from seamark.test_core_support import ask, event_file, scanned, view_of


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
    with (
        path.open("rb") as file,
        mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped,
        memoryview(mapped) as whole,
    ):
        size = _core.Stripe(whole).nbytes
        assert size == block.nbytes
        second = _core.Stripe(whole[size:], verify=True)
        assert (second.nbytes, second.scalar_rows) == (size, 1000)
        view = _core.SeriesView([(second, 0)])
        del second
        assert view.last() == (999, 0.0, 999.0)
        del view


def test_a_damaged_stripe_is_rejected_with_a_reason() -> None:
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
        _core.Stripe(damaged)


def test_merged_stripes_hold_the_rows_of_all_in_order() -> None:
    parts = [scanned(event_file([(b"a", step, 0.0, step), (b"b", step, 0.0, -step)]))[1] for step in range(5)]
    merged = _core.Stripe(_core.merge_stripes(parts), verify=True)
    assert merged.scalars()[2].tolist() == [0, 1, 2, 3, 4, 0, -1, -2, -3, -4]
    assert _core.Stripe(_core.merge_stripes([])).scalar_rows == 0


def test_a_series_over_several_stripes() -> None:
    one = scanned(event_file([(b"a", 0, 5.0, 1.0), (b"a", 1, 6.0, 2.0)]))[1]
    other = scanned(event_file([(b"z", 0, 0.0, 0.0)]))[1]
    series = _core.SeriesView([(one, 0), (other, 9), (one, 0)], [(0, 0, 0, 0), (2, 0, 1, None)])
    assert (series.count, series.current_count, series.attempts, series.last()) == (4, 2, 2, (1, 6.0, 2.0))
    steps, walls, values, attempt = series.columns(all_attempts=False)
    assert (steps.tolist(), walls.tolist(), values.tolist(), attempt.tolist()) == ([0, 1], [5, 6], [1, 2], [1, 1])
    assert series.columns(all_attempts=True)[3].tolist() == [0, 0, 1, 1]
    table = _core.series_stats([series, _core.SeriesView([])])
    assert {name: column.tolist()[0] for name, column in table.items()} == {
        "count": 4, "attempts": 2, "first_step": 0, "last_step": 1, "first_wall": 5.0, "last_wall": 6.0,
        "last_value": 2.0, "min_value": 1.0, "max_value": 2.0, "nan": 0, "posinf": 0, "neginf": 0,
    }  # fmt: skip
    assert (table["count"][1], table["first_step"][1]) == (0, 0)
    assert math.isnan(table["last_value"][1])
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
    np.testing.assert_allclose(columns["smoothed"][:10], smoothed(np.arange(1000.0), 0.5)[99::100], rtol=1e-12)
    types = {name: str(column.dtype) for name, column in columns.items()}
    assert types == {
        **dict.fromkeys(("offsets", "points", "total", "stored"), "uint64"),
        **dict.fromkeys(("step", "step_last"), "int64"),
        **dict.fromkeys(("wall", "wall_last", "first", "last", "min", "max", "mean", "smoothed", "weight"), "float64"),
        **dict.fromkeys(("count", "nan", "posinf", "neginf", "attempt", "replaced"), "uint32"),
    }


def test_a_window_counts_what_is_not_finite() -> None:
    series = view_of([0, 1, 2, 3], [float("nan"), float("inf"), float("-inf"), 2.0])
    row = ask([series], max_points=1)
    assert [int(row[name][0]) for name in ("count", "nan", "posinf", "neginf")] == [4, 1, 1, 1]
    assert (row["min"][0], row["max"][0], row["mean"][0], row["last"][0]) == (2.0, 2.0, 2.0, 2.0)


def test_windows_of_unusual_ranges() -> None:
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


def test_spans_that_start_after_the_last_part_are_rejected() -> None:
    stripe = scanned(event_file([(b"a", 0, 0.0, 0.0)]))[1]
    with pytest.raises(ValueError, match="after the last part"):
        _core.SeriesView([(stripe, 0)], [(5, 0, 0, None)])


def test_the_step_ranges_of_the_groups_of_a_stripe() -> None:
    stripe = scanned(event_file([(b"a", 4, 0.0, 0.0), (b"b", 9, 0.0, 0.0), (b"a", 2, 0.0, 0.0)]))[1]
    assert [column.tolist() for column in stripe.scalar_step_ranges()] == [[2, 9], [4, 9]]
    assert [column.tolist() for column in stripe.payload_step_ranges()] == [[], []]


def smoothed(values: NDArray[np.float64], weight: float) -> list[float]:
    """TensorBoard's formula."""
    last, count, out = 0.0, 0, []
    for value in values.tolist():
        if math.isfinite(value):
            last = last * weight + (1 - weight) * value
            count += 1
            value = last / (1 - weight**count)
        out.append(value)
    return out


def test_smoothing_is_tensorboards() -> None:
    values = [1.0, math.nan, 3.0, math.inf, 2.0] * 4
    window = ask([view_of(list(range(20)), values)], smoothing=0.6)
    np.testing.assert_allclose(window["smoothed"], smoothed(np.array(values), 0.6), rtol=1e-14)
    short = ask([view_of(list(range(19)), values[:19])], smoothing=0.6)
    np.testing.assert_array_equal(short["smoothed"], values[:19])
    constant = ask([view_of(list(range(9)), [0.25] * 9)], smoothing=0.9)
    assert constant["smoothed"].tolist() == [0.25] * 9


def test_adaptive_smoothing_has_a_half_life_of_a_share_of_the_visible_range() -> None:
    values = np.random.default_rng(3).random(1001).astype(np.float32).astype(np.float64)
    series = [view_of(list(range(0, 2002, 2)), values.tolist()), view_of(list(range(19)))]
    window = ask(series, smoothing=0.02, adaptive=True, visible=500.0)
    weight = 0.5 ** (1 / 5)  # a half-life of 10 steps is one of 5 points
    np.testing.assert_allclose(window["weight"], [weight, 0], rtol=1e-14)
    np.testing.assert_allclose(window["smoothed"][:1001], smoothed(values, weight), rtol=1e-12)


def test_the_store_has_the_columns_of_the_core() -> None:
    from seamark.store import ROW_COLUMNS, ScalarWindow, SeriesInfo

    fields = ScalarWindow.__struct_fields__
    assert set(ROW_COLUMNS) == set(_core.WINDOW_COLUMNS) | set(_core.OPTIONAL_WINDOW_COLUMNS)
    assert set(ask([], attempts=_core.ATTEMPTS_MARKED, smoothing=0.5)) == set(fields) - {"tag", "axis", "runs"}
    infos = list(SeriesInfo.__struct_fields__)
    assert list(_core.series_stats([])) == infos[infos.index("count") :]
