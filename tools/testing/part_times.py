"""Compares how long the parts of `make test` took with the table in CONTRIBUTING.md.

Processor time is compared, because a busy machine does not change it much, and in relation to all parts together,
because machines differ in speed: a slow machine fails no run. Parts that had little to do again (a compiled core, a
warm cache) may take less.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

CONTRIBUTING = Path(__file__).resolve().parents[2] / "CONTRIBUTING.md"
FACTOR = 2
# Differences of a few seconds are nobody's concern.
LEAST_SECS = 20
ROW = re.compile(r"^\| `make ([a-z-]+)` \|[^|]*\| (\d+) \| (\d+) \|$", re.MULTILINE)


def documented_times(text: str) -> dict[str, tuple[int, int]]:
    """Seconds and seconds of processor time of each part in the table."""
    return {name: (int(secs), int(cpu_secs)) for name, secs, cpu_secs in ROW.findall(text)}


def compare_times(measured: Mapping[str, float], text: str | None = None) -> Iterator[str]:
    documented = documented_times(CONTRIBUTING.read_text() if text is None else text)
    # The tests in Python have no cache: their time tells the speed of the machine.
    speed = measured["test-python"] / documented["test-python"][1]
    # All tests getting slower together is said, but does not fail the run: the same tests took 2.7 times as long while
    # other programs used the processor.
    if not 1 / FACTOR < speed < FACTOR:
        yield (
            f"== times: test-python took {measured['test-python']:.0f} s of processor time, CONTRIBUTING.md says "
            f"{documented['test-python'][1]} s: unless this machine is slow or busy, correct the table"
        )
    for name, cpu_secs in measured.items():
        expected = documented[name][1] * speed
        if cpu_secs > FACTOR * expected + LEAST_SECS:
            yield (
                f"== FAILED: times: {name} took {cpu_secs:.0f} s of processor time, CONTRIBUTING.md leads to expect "
                f"{expected:.0f} s: make it faster or correct the table"
            )
