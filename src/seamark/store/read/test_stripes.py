"""Tests of merging parts."""

from seamark._core import Scanner, SeriesView
from seamark.store.read.stripes import Part, merged, part_of, tiers
from seamark.store.test_support import curve, scalar_bytes


def part(start: int, stop: int) -> Part:
    scanner = Scanner([(b"loss", 0, b"")])
    scanner.scan(scalar_bytes("loss", curve(start, stop)), 0)
    stripe = scanner.take_stripe()
    assert stripe is not None
    return part_of(stripe)


def test_equal_neighbours_are_merged_like_carries_in_binary_addition() -> None:
    assert tiers([8, 4, 1, 1], max_rows=100) == [(0, 1), (1, 2), (2, 4)]
    assert tiers([4, 2, 1, 1], max_rows=100) == [(0, 4)]


def test_nothing_is_merged_beyond_the_limit() -> None:
    assert tiers([8, 8], max_rows=15) == [(0, 1), (1, 2)]
    assert tiers([], max_rows=15) == []


def test_a_thousand_small_appends_leave_few_parts_in_order() -> None:
    parts: list[Part] = []
    for step in range(1000):
        parts = merged([*parts, part(step, step + 1)], max_rows=1 << 20)
        assert len(parts) <= 10
    steps = SeriesView([(p.stripe(), 0) for p in parts]).columns(all_attempts=True)[0]
    assert steps.tolist() == list(range(1000))


def test_a_part_that_needs_no_merging_is_returned_unchanged() -> None:
    big, small = part(0, 10), part(10, 12)
    assert merged([big, small], max_rows=100) == [big, small]
