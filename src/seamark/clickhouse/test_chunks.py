"""Tests of chunks: every point survives exactly, whatever its numbers, and however its rows arrive."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from seamark.clickhouse.chunks import CHUNK_POINTS, PulledPoints, chunk_columns, decode_chunks
from seamark.clickhouse.native import Column, column_rows, decode_blocks, encode_block, joined_columns
from seamark.store.ask.stored_run import StoredScalars

FLOATS = st.one_of(st.floats(), st.floats(width=32), st.sampled_from([0.0, -0.0, 1.76e9 + 1 / 3, 2.0**31, 1e-320]))
STEPS = st.one_of(st.integers(-(2**63), 2**63 - 1), st.integers(0, 3))
POINTS = st.lists(
    st.tuples(STEPS, FLOATS, FLOATS, st.integers(0, 3), st.integers(0, 1)),
    min_size=1,
    max_size=3 * CHUNK_POINTS,
)


def stored(rows: list[tuple[int, float, float, int, int]]) -> StoredScalars:
    steps, walls, values, attempt, replaced = zip(*rows, strict=True)
    return StoredScalars(
        np.array(steps, np.int64), np.array(walls, float), np.array(values, float), np.array(attempt, np.uint32),
        np.array(replaced, np.uint8),
    )  # fmt: skip


def rows_of(run: int, points: StoredScalars, first: int = 0) -> dict[str, Column]:
    columns = chunk_columns(points, first)
    return {"run": np.full(column_rows(columns["position"]), run, np.uint64), **columns}


def sent(parts: list[dict[str, Column]]) -> PulledPoints:
    """As a server that keeps the rows returns them."""
    columns = joined_columns(parts)
    return decode_chunks(decode_blocks(encode_block(columns), list(columns)))


def assert_same(pulled: PulledPoints, want: list[StoredScalars]) -> None:
    for name in StoredScalars.__struct_fields__:
        expected: Any = np.concatenate([getattr(points, name) for points in want])
        np.testing.assert_array_equal(getattr(pulled, name), expected, err_msg=name)
    assert pulled.ends.tolist() == np.cumsum([len(points.steps) for points in want]).tolist()


@settings(deadline=None)
@given(POINTS, st.integers(0, 3 * CHUNK_POINTS), st.randoms(use_true_random=False))
def test_points_survive_exactly_whatever_was_inserted_before(rows: Any, first: int, random: Any) -> None:
    points = stored(rows)
    before = stored(rows[: max(1, first)])
    # What was there, what follows, both twice, in any order.
    parts = [rows_of(1, before), rows_of(1, points, min(first, len(before.steps))), rows_of(2, points)] * 2
    random.shuffle(parts)
    assert_same(sent(parts), [points, points])


def test_usual_points_need_no_second_array() -> None:
    steps = np.arange(300) * 10
    walls = 1.76e9 + np.cumsum(np.random.default_rng(1).uniform(0.4, 0.6, 300))
    zeros = np.zeros(300, np.uint32), np.zeros(300, np.uint8)
    columns: Any = chunk_columns(StoredScalars(steps, walls, np.sin(steps).astype(np.float32).astype(float), *zeros), 0)
    assert columns["points"].tolist() == [128, 128, 44]
    assert columns["first_step"].tolist() == [0, 1280, 2560]
    for name in ("steps", "wall_rests", "doubles", "marks"):
        assert len(columns[name].elements) == 0, name
    assert columns["stride"].tolist() == [10, 10, 10]


def test_chunks_of_one_series_may_differ() -> None:
    """Even steps and then odd ones, times that are dates and then not, floats of 32 bits and then of 64."""
    even = [(step * 3, 1.76e9 + step, 0.5, 1, 0) for step in range(CHUNK_POINTS)]
    odd = [(step * step, step / 3, step / 3, 1 + step % 2, step % 2) for step in range(CHUNK_POINTS)]
    for rows in (even + odd, odd + even, even + odd + even[:1]):
        assert_same(sent([rows_of(1, stored(rows))]), [stored(rows)])


def test_only_chunks_with_new_points_are_written_again() -> None:
    points = stored([(step, math.nan, 0.1, 0, 0) for step in range(300)])
    assert chunk_columns(points, 256)["position"].tolist() == [256]  # type: ignore[union-attr]
    assert chunk_columns(points, 200)["position"].tolist() == [128, 256]  # type: ignore[union-attr]
    assert column_rows(chunk_columns(points, 300)["position"]) == 0


def test_no_rows_are_no_points() -> None:
    assert decode_chunks(dict.fromkeys(rows_of(1, stored([(0, 0, 0, 0, 0)])), np.empty(0))).runs == []
