"""The table of the parts in CONTRIBUTING.md is complete, within ten minutes, and compared with what a run took."""

from __future__ import annotations

from tools.testing.part_times import CONTRIBUTING, compare_times, documented_times
from tools.testing.run_parts import FIRST, LAST

TABLE = """\
| `make lint` | types | 90 | 100 |
| `make test-python` | tests | 300 | 400 |
"""


def test_the_table_has_every_part_and_stays_within_ten_minutes() -> None:
    documented = documented_times(CONTRIBUTING.read_text())
    assert list(documented) == [*FIRST, LAST]
    # Two of the first parts run at a time.
    first_secs = sum(documented[name][0] for name in FIRST)
    assert first_secs / 2 + documented[LAST][0] < 600


def test_a_part_that_takes_twice_as_long_as_the_table_says_is_named() -> None:
    assert list(compare_times({"lint": 110, "test-python": 400}, TABLE)) == []
    assert list(compare_times({"lint": 30, "test-python": 400}, TABLE)) == [], "a warm cache"
    (line,) = compare_times({"lint": 260, "test-python": 400}, TABLE)
    assert line.startswith("== FAILED: times: lint took 260 s of processor time, CONTRIBUTING.md leads to expect 100 s")


def test_a_machine_of_another_speed_is_no_fault() -> None:
    (line,) = compare_times({"lint": 290, "test-python": 1200}, TABLE)
    assert line.startswith("== times: test-python took 1200 s of processor time, CONTRIBUTING.md says 400 s")
    assert list(compare_times({"lint": 190, "test-python": 790}, TABLE)) == []
