from __future__ import annotations

import pytest

from seamark.cli.output.number_format import counted, size


def test_one_is_singular_and_thousands_have_commas() -> None:
    assert [counted(number, "run") for number in (0, 1, 12345)] == ["0 runs", "1 run", "12,345 runs"]


@pytest.mark.parametrize(
    ("size_bytes", "shown"),
    [(1, "1 byte"), (999, "999 bytes"), (1000, "1.0 kB"), (2_500_000, "2.5 MB"), (10**11, "100.0 GB")],
)
def test_sizes_use_the_largest_fitting_unit(size_bytes: int, shown: str) -> None:
    assert size(size_bytes) == shown
