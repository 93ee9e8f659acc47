"""How far an earlier process came: the last step in the run's event files, system metrics aside.

run.json knows too, but it is some seconds old when a process is killed; the event files are the truth.
"""

from __future__ import annotations

from pathlib import Path

from seamark import _core
from seamark.write.run.system import PREFIX

CHUNK_BYTES = 8 << 20
# Beyond that, run.json's own word is good enough: nobody wants to wait for it.
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
            used = scanner.scan(data, offset)
            offset += used
            found = _highest(scanner)
            highest = found if highest is None or (found is not None and found > highest) else highest
            if scanner.status == _core.SCAN_CORRUPT or (len(data) < want and scanner.status != _core.SCAN_FULL):
                break
            want = max(CHUNK_BYTES, scanner.needed) if used == 0 else CHUNK_BYTES
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
        if count and not tags[int(series)].startswith(PREFIX.encode()):
            last = int(steps[int(first) : int(first) + int(count)].max())
            highest = last if highest is None else max(highest, last)
    return highest
