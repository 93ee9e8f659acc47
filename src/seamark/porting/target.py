"""Where imported runs go: one folder each, with a note of what it holds, so that a second import adds only what is new.

Nothing that exists is ever changed. A run's events are written beside their final name and renamed once they are
whole; the note is written before that and names the file, so a kill at any moment leaves either all of a part or none.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seamark import _core
from seamark.format.replace_file import replace_file
from seamark.format.run_record import RunRecord
from seamark.kinds.summary import event_record
from seamark.porting import run_json
from seamark.porting.records import fact_records, scalar_records
from seamark.porting.source import Payload, SourceRun

NOTE = "seamark-import.json"
UNSAFE = re.compile(r"[\x00-\x1f\x7f]")
NAME_BYTES = 150


@dataclass(frozen=True, slots=True)
class Imported:
    """The result for one run. `points` and `payloads` count the added ones."""

    folder: Path
    points: int = 0
    payloads: int = 0
    is_known: bool = False  # a part of it was imported before
    remarks: tuple[str, ...] = ()


@dataclass
class _Held:
    """The imported part of a source: the number of points per series, and a digest of them."""

    files: list[str] = field(default_factory=list)
    series: dict[str, list[Any]] = field(default_factory=dict)
    facts: str = ""


class Target:
    """A log directory that runs are imported into."""

    def __init__(self, folder: Path, *, default_wall: float) -> None:
        self._folder = folder
        self._default_wall = default_wall
        self._known = {(note["source"], note["id"]): path.parent for path, note in _notes(folder)}

    def add(self, run: SourceRun) -> Imported:
        folder = self._known.get((run.source, run.id))
        is_known = folder is not None
        folder = folder or self._new_folder(run)
        held = _held(folder) if is_known else _Held()
        part = _Part(run, held, default_wall=self._default_wall)
        added = Imported(folder, part.point_count, len(part.payloads), is_known, (*run.remarks, *part.remarks))
        record = run_json.record_of(run, started_at=part.wall)
        if not (part.is_empty and is_known):
            folder.mkdir(parents=True, exist_ok=True)
            self._known[(run.source, run.id)] = folder
            _write(folder, run, part, held, record)
        elif record is not None:
            run_json.write(folder, record)
        return added

    def _new_folder(self, run: SourceRun) -> Path:
        name = safe_name(run.name) or safe_name(run.id) or "run"
        taken = set(self._known.values())
        folder = self._folder / name
        # Never adds to a folder that something else has created.
        if folder in taken or (folder / NOTE).exists() or any(folder.glob("*tfevents*")):
            folder = self._folder / f"{name}-{short_id(run.id)}"
        number = 2
        while folder in taken or (folder / NOTE).exists() or any(folder.glob("*tfevents*")):
            folder = self._folder / f"{name}-{short_id(run.id)}-{number}"
            number += 1
        return folder


class _Part:
    """The part of a run that is not imported yet."""

    def __init__(self, run: SourceRun, held: _Held, *, default_wall: float) -> None:
        self.remarks: list[str] = []
        self.wall = first_wall(run, default_wall)
        self.after = _Held(list(held.files), dict(held.series), _facts_digest(run))
        self.has_new_facts = self.after.facts != held.facts
        self.scalars: list[tuple[str, NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]] = []
        for tag, points in run.scalars.items():
            columns = points.steps, points.walls, points.values
            start = self._held_rows(f"scalars {tag}", columns, held)
            if start < len(points):
                walls = np.where(np.isnan(columns[1]), self.wall, columns[1])
                self.scalars.append((tag, columns[0][start:], walls[start:], columns[2][start:]))
        self.payloads: list[Payload] = []
        for tag, payloads in _by_tag(run.payloads):
            places = np.array([item.step for item in payloads]), np.array([item.wall for item in payloads])
            self.payloads += payloads[self._held_rows(f"payloads {tag}", places, held) :]

    @property
    def point_count(self) -> int:
        return sum(len(steps) for _, steps, _, _ in self.scalars)

    @property
    def is_empty(self) -> bool:
        return not (self.scalars or self.payloads or self.has_new_facts)

    def records(self, run: SourceRun) -> Iterator[bytes]:
        yield _core.encode_file_version(self.wall)
        if self.has_new_facts:
            yield from fact_records(run, wall=self.wall)
        for tag, steps, walls, values in self.scalars:
            yield from scalar_records(tag, steps, walls, values)
        for item in self.payloads:
            wall = self.wall if math.isnan(item.wall) else item.wall
            yield event_record(item.make(), step=item.step, wall_time=wall)

    def _held_rows(self, key: str, columns: Iterable[NDArray[Any]], held: _Held) -> int:
        """The number of imported rows of a series; all of them if the source has rewritten earlier rows."""
        arrays = list(columns)
        count, digest = held.series.get(key, (0, ""))
        if count and (count > len(arrays[0]) or _digest(arrays, count) != digest):
            kind, _, tag = key.partition(" ")
            self.remarks.append(
                f"the {kind} of '{tag}' are not the ones imported before, so they were left as they are; "
                "import into another folder to have the new ones"
            )
            return len(arrays[0])
        self.after.series[key] = [len(arrays[0]), _digest(arrays, len(arrays[0]))]
        return int(count)


def first_wall(run: SourceRun, default: float) -> float:
    """The start of the run, as far as the source has it."""
    if not math.isnan(run.start):
        return run.start
    known = [float(np.nanmin(points.walls)) for points in run.scalars.values() if not np.isnan(points.walls).all()]
    return min(known, default=default)


def safe_name(name: str) -> str:
    """A path below the target: no part of the name leads out of it."""
    parts = [UNSAFE.sub("_", part) for part in name.split("/")]
    return "/".join(_shortened("__" if part == ".." else part) for part in parts if part not in ("", "."))


def short_id(identity: str) -> str:
    return hashlib.blake2b(identity.encode(), digest_size=4).hexdigest()


def _shortened(part: str) -> str:
    if len(part.encode()) <= NAME_BYTES:
        return part
    return part.encode()[:NAME_BYTES].decode(errors="ignore") + "-" + short_id(part)


def _write(folder: Path, run: SourceRun, part: _Part, held: _Held, record: RunRecord | None) -> None:
    name = f"events.out.tfevents.{max(0, int(part.wall)):010d}.{run.source}.{short_id(run.id)}.{len(held.files)}"
    unfinished = folder / "seamark-import.unfinished"
    with unfinished.open("wb") as file:
        for framed in part.records(run):
            file.write(framed)
    part.after.files.append(name)
    note = {"source": run.source, "id": run.id, "name": run.name, "held": [*_states(folder), vars(part.after)]}
    replace_file(folder / NOTE, json.dumps(note, indent=1).encode())
    if record is not None:
        run_json.write(folder, record)
    unfinished.rename(folder / name)


def _states(folder: Path) -> list[dict[str, Any]]:
    """The state after each part whose file exists; an interrupted import leaves a part without a file."""
    path = folder / NOTE
    if not path.exists():
        return []
    states: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["held"]
    return [state for state in states if all((folder / name).exists() for name in state["files"])]


def _held(folder: Path) -> _Held:
    states = _states(folder)
    return _Held(**states[-1]) if states else _Held()


def _notes(folder: Path) -> Iterator[tuple[Path, dict[str, Any]]]:
    for path in sorted(folder.rglob(NOTE)):
        try:
            note = json.loads(path.read_text(encoding="utf-8"))
            yield path, {"source": note["source"], "id": note["id"], "held": note["held"]}
        except (OSError, ValueError, KeyError, TypeError):
            continue  # not one of our files


def _digest(columns: Iterable[NDArray[Any]], count: int) -> str:
    hashed = hashlib.blake2b(digest_size=8)
    for column in columns:
        hashed.update(np.ascontiguousarray(column[:count]).tobytes())
    return hashed.hexdigest()


def _facts_digest(run: SourceRun) -> str:
    facts = [run.params, run.tags, run.notes, run.status if run.status != "running" else ""]
    if not any(facts):
        return ""
    return hashlib.blake2b(json.dumps(facts, sort_keys=True, default=str).encode(), digest_size=8).hexdigest()


def _by_tag(payloads: list[Payload]) -> Iterator[tuple[str, list[Payload]]]:
    found: dict[str, list[Payload]] = {}
    for item in payloads:
        found.setdefault(item.tag, []).append(item)
    yield from found.items()
