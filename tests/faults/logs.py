"""Helpers for tests of faults: small event files of known records, and dumps of a store."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from seamark import _core
from seamark.format.types import RunName, Tag
from seamark.store import LogRoot, Store

FILE_NAME = "events.out.tfevents.1700000000.faults.0"
START_SECS = 1_700_000_000.0
# A text tensor: Summary.Value{tag "note", tensor{dtype STRING, string_val}, metadata plugin "text"}.
_TEXT_METADATA = b"\x4a\x08\x0a\x06\x0a\x04text"

Row = tuple[str, int, float]


@dataclass(frozen=True)
class EventLog:
    """Records, each with its point (tag, step, value). Text records and the file version have none."""

    records: list[bytes]
    rows: list[Row | None]

    @property
    def data(self) -> bytes:
        return b"".join(self.records)

    def starts(self) -> list[int]:
        """Returns the offsets of all records, and the end of the last one."""
        return [0, *np.cumsum([len(record) for record in self.records]).tolist()]

    def rows_of(self, records: Sequence[int]) -> list[Row]:
        """Returns the points of these records in a store's order: by tag, then in order of arrival."""
        kept = [row for number in records if (row := self.rows[number]) is not None]
        return sorted(kept, key=lambda row: row[0])

    def texts_of(self, records: Sequence[int]) -> int:
        return sum(self.records[number].find(_TEXT_METADATA) >= 0 for number in records)


def small_log(steps: int, *, tags: Sequence[str] = ("loss", "rate"), text_every: int = 2) -> EventLog:
    """A file version, then for each step a point of every tag and, for some steps, a text."""
    records: list[bytes] = [_core.encode_file_version(START_SECS)]
    rows: list[Row | None] = [None]
    for step in range(steps):
        for number, tag in enumerate(tags):
            # Halves and quarters survive the float32 of the file exactly.
            value = step / 4 + number
            records.append(_core.encode_scalar(tag.encode(), value, step, START_SECS + step))
            rows.append((tag, step, value))
        if step % text_every == 0:
            records.append(text_record(f"step {step}", step))
            rows.append(None)
    return EventLog(records, rows)


def text_record(text: str, step: int) -> bytes:
    """Returns a framed event with one text; a store reads its bytes from the event file."""
    tensor = b"\x08\x07\x12\x00" + _field(8, text.encode())
    value = _field(1, b"note") + _TEXT_METADATA + _field(8, tensor)
    event = (
        b"\x09" + np.float64(START_SECS + step).tobytes() + b"\x10" + bytes([step & 0x7F]) + _field(5, _field(1, value))
    )
    return _core.frame(event)


def _field(number: int, content: bytes) -> bytes:
    assert len(content) < 128
    return bytes([number << 3 | 2, len(content)]) + content


def points(tag: str, first: int, count: int) -> bytes:
    """Returns framed events of one tag: steps first … first+count-1, values half of the step."""
    steps = np.arange(first, first + count, dtype=np.int64)
    walls = START_SECS + steps.astype(np.float64)
    return _core.encode_scalars([tag.encode()], np.zeros(count, np.uint32), steps, walls, steps / 2)


def write(logdir: Path, run: str, data: bytes, *, file_name: str = FILE_NAME) -> Path:
    path = logdir / run / file_name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def open_store(logdir: Path, index_dir: Path | None, *, follow: bool = False) -> Store:
    """Opens a store and waits until it has loaded."""
    store = Store([LogRoot("", logdir)], index_dir=index_dir, reload_secs=0.1, workers=2, follow=follow)
    store.start()
    assert store.wait_loaded(60)
    return store


def shown_rows(store: Store, run: str) -> list[Row]:
    """Returns every scalar point of a run, of all attempts, by tag and then in order of arrival."""
    rows: list[Row] = []
    for info in sorted(store.series(run=RunName(run), kind="scalars"), key=lambda info: info.tag):
        # Requested as one of several: a file that is being reread may have lost the tag since it was listed.
        window = store.scalars([info.run], info.tag, attempts="all")
        rows += [(info.tag, int(step), float(value)) for step, value in zip(window.step, window.last, strict=True)]
    return rows


def shown_texts(store: Store, run: str) -> int:
    """Returns how many texts of a run can be read."""
    count = 0
    for info in store.series(run=RunName(run), kind="text"):
        listed = store.payloads(info.run, info.tag, info.kind, attempts="all")
        count += sum(b"step" in store.payload(info.run, info.tag, info.kind, int(index)) for index in listed.index)
    return count


Dump = dict[str, object]


def dump(store: Store) -> Dump:
    """Returns everything a store shows, as plain values that compare equal."""
    shown: Dump = {"runs": [(info.name, info.files, info.bytes, info.points, info.payloads) for info in store.runs()]}
    for info in store.series():
        shown[f"series {info.run} {info.kind} {info.tag}"] = (
            repr(info),
            _columns(store, info.run, info.tag, info.kind),
        )
    damage = [problem for problem in store.problems() if problem.offset is not None]
    shown["damage"] = sorted((str(problem.run), problem.path, problem.offset, problem.message) for problem in damage)
    return shown


def _columns(store: Store, run: RunName, tag: Tag, kind: str) -> list[object]:
    if kind == "scalars":
        window = store.scalars(run, tag, attempts="all")
        assert window.attempt is not None
        return [column.tolist() for column in (window.step, window.wall, window.last, window.attempt)]
    listed = store.payloads(run, tag, kind, attempts="all")
    payloads = [store.payload(run, tag, kind, int(index)) for index in listed.index]
    return [listed.steps.tolist(), listed.walls.tolist(), listed.lengths.tolist(), listed.attempt.tolist(), payloads]


def rebuilt(logdir: Path) -> Dump:
    """Returns a dump of a store that reads the event files without an index."""
    store = open_store(logdir, None)
    try:
        return dump(store)
    finally:
        store.close()


def reopened(logdir: Path, index_dir: Path | None) -> Dump:
    """Returns a dump of a store that starts from an index."""
    store = open_store(logdir, index_dir)
    try:
        return dump(store)
    finally:
        store.close()
