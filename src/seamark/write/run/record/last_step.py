"""Finds the last step in a run's event files, without system metrics.

run.json has it too, but may be some seconds old when a process is killed. This is the one place where `write` reads:
it may not import the store, and a resumed run needs its first step before it writes. The core does the parsing.
"""

from __future__ import annotations

from pathlib import Path

from seamark import _core
from seamark.format.types import SYSTEM_PREFIX

CHUNK_BYTES = 8 << 20
# Of larger files only the start is read: run.json's value is good enough then.
MAX_FILE_BYTES = 4 << 30


def in_folder(folder: Path) -> int | None:
    steps = [in_file(path) for path in sorted(folder.glob("*tfevents*")) if path.is_file()]
    return max((step for step in steps if step is not None), default=None)


def in_file(path: Path) -> int | None:
    scanner, highest = _core.Scanner(), None
    offset, want = 0, CHUNK_BYTES
    with path.open("rb") as file:
        while offset < MAX_FILE_BYTES:
            file.seek(offset)
            data = file.read(want)
            scan = scanner.scan(data, offset)
            offset += scan.consumed
            found = _highest(scanner)
            highest = found if highest is None or (found is not None and found > highest) else highest
            if scan.status == _core.SCAN_CORRUPT or (len(data) < want and scan.status != _core.SCAN_FULL):
                break
            want = max(CHUNK_BYTES, scan.needed_bytes) if scan.consumed == 0 else CHUNK_BYTES
    return highest


def _highest(scanner: _core.Scanner) -> int | None:
    data = scanner.take_stripe()
    if data is None:
        return None
    stripe = _core.Stripe(data)
    steps = stripe.scalars()[0]
    tags = [tag for tag, _, _ in scanner.series()]
    highest = None
    for series, first, count in zip(*stripe.scalar_groups(), strict=True):
        if count and not tags[int(series)].startswith(SYSTEM_PREFIX.encode()):
            last = int(steps[int(first) : int(first) + int(count)].max())
            highest = last if highest is None else max(highest, last)
    return highest
