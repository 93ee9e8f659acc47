"""W&B: the run folders that it leaves on disk, offline or not, read without W&B."""

from __future__ import annotations

import json
import math
import struct
import time
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from seamark.format.numbers import parse_non_finite
from seamark.format.run_record import Metric
from seamark.format.types import SYSTEM_PREFIX
from seamark.porting import images
from seamark.porting.source import UNKNOWN_WALL, OnBytes, Payload, Progress, SourceError, SourceRun, shifted
from seamark.porting.wandb_log import Fields, data, fields_of, part, records, text, whole

# Field numbers of W&B's messages.
HISTORY, SUMMARY, CONFIG, STATS, METRIC, RUN, EXIT = 2, 3, 5, 7, 12, 17, 18
GOALS = {1: "minimize", 2: "maximize"}
SUMMARIES = {1: "min", 2: "max", 3: "mean", 4: "best", 5: "last", 6: "none", 7: "copy", 8: "first"}
KEY, NESTED_KEY, VALUE_JSON = 1, 2, 16
# Keys that W&B adds to every step.
BOOKKEEPING = frozenset({"_step", "_timestamp", "_runtime", "_wandb"})
# Like W&B: a run without an end is crashed after five minutes without data.
CRASHED_AFTER_SECS = 300.0


def runs(path: Path, progress: Progress) -> Iterator[SourceRun]:
    """Every run below the path; `path` may also be one run's folder or its `.wandb` file."""
    files = files_at(path)
    done, total = 0, sum(file.stat().st_size for file in files)
    for file in files:
        yield read_run(file, shifted(progress, done, total))
        done += file.stat().st_size
    progress(total, total)


def files_at(path: Path) -> list[Path]:
    if not path.exists():
        raise SourceError(f"no such file or folder: '{path}'")
    if path.is_file():
        return [path]
    # `latest-run` is a link to one of the folders.
    found = sorted({file.resolve() for file in path.rglob("run-*.wandb")})
    if not found:
        raise SourceError(f"no run of W&B (run-*.wandb) in this folder: '{path}'")
    return found


def read_run(path: Path, on_bytes: OnBytes) -> SourceRun:
    reading = _Reading(path)
    for record in records(path, on_bytes):
        reading.take(fields_of(record))
    return reading.finished()


class _Reading:
    """Builds a run from the records of one file."""

    def __init__(self, path: Path) -> None:
        identity = path.stem.removeprefix("run-")
        self._written_at = path.stat().st_mtime
        self._files = path.parent / "files"
        self._run = SourceRun(source="wandb", id=identity, name=identity, status="running")
        self._config: dict[str, Any] = {}
        self._summary: dict[str, Any] = {}
        self._missing_images = 0
        self._other_kinds: set[str] = set()
        self._samples: dict[str, int] = {}

    def take(self, record: Fields) -> None:
        if HISTORY in record:
            self._take_history(part(record, HISTORY))
        elif SUMMARY in record:
            _update(self._summary, part(record, SUMMARY))
        elif CONFIG in record:
            _update(self._config, part(record, CONFIG))
        elif STATS in record:
            self._take_stats(part(record, STATS))
        elif METRIC in record:
            self._take_metric(part(record, METRIC))
        elif RUN in record:
            self._take_run(part(record, RUN))
        elif EXIT in record:
            self._run.exit_code = _signed(whole(part(record, EXIT), 1))
            self._run.status = "finished" if self._run.exit_code == 0 else "failed"
            self._run.end = self._run.start + whole(part(record, EXIT), 2)

    def finished(self) -> SourceRun:
        run = self._run
        run.params = {key: value for key, value in self._config.items() if key != "_wandb"}
        run.summary = dict(_summary_values(self._summary))
        if run.status == "running" and time.time() - self._written_at > CRASHED_AFTER_SECS:
            run.status = "crashed"
        if self._missing_images:
            run.remarks.append(f"{self._missing_images:,} image files are gone from '{self._files}'")
        if self._other_kinds:
            run.remarks.append(f"left out what cannot be shown: {', '.join(sorted(self._other_kinds))}")
        return run

    def _take_metric(self, fields: Fields) -> None:
        """A definition of define_metric; W&B repeats it with every change, and the last one counts."""
        name, summary = text(fields, 1) or text(fields, 2), part(fields, 7)
        words = [word for number, word in SUMMARIES.items() if whole(summary, number)]
        metric = Metric(
            name=name,
            step_metric=text(fields, 4),
            summary=",".join(words) or "last",
            goal=GOALS.get(whole(fields, 8), ""),
            hidden=bool(whole(part(fields, 6), 2)),
        )
        if name:
            self._run.metrics = (*(one for one in self._run.metrics if one.name != name), metric)

    def _take_run(self, fields: Fields) -> None:
        run = self._run
        run.id = text(fields, 1) or run.id
        project, name = text(fields, 3), text(fields, 8) or run.id
        run.name = f"{project}/{name}" if project else name
        run.notes = text(fields, 9)
        run.group, run.job_type, run.host = text(fields, 6), text(fields, 7), text(fields, 13)
        facts = {"group": run.group, "job_type": run.job_type, "sweep": text(fields, 12)}
        words = [word.decode("utf-8", "replace") for word in fields.get(10, []) if isinstance(word, bytes)]
        run.labels = tuple(words)
        run.tags = {key: value for key, value in {**facts, "tags": ", ".join(words)}.items() if value}
        run.start = _seconds(part(fields, 17))
        _update(self._config, part(fields, 4))
        _update(self._summary, part(fields, 5))

    def _take_history(self, fields: Fields) -> None:
        row: dict[str, Any] = {}
        for keys, value in _items(fields, 1):
            _put(row, keys, value)
        step = row.get("_step", _signed(whole(part(fields, 2), 1)))
        step = step if isinstance(step, int) else 0
        wall = row.get("_timestamp", UNKNOWN_WALL)
        for key, value in row.items():
            if key not in BOOKKEEPING:
                self._take_value(key, value, step, float(wall))

    def _take_value(self, tag: str, value: Any, step: int, wall: float) -> None:
        if isinstance(value, bool | int | float):
            self._run.points(tag).add(step, wall, _as_float(value))
        elif isinstance(value, Mapping):
            kind = value.get("_type")
            if kind is None:
                for key, inner in value.items():
                    self._take_value(f"{tag}.{key}", inner, step, wall)
            elif kind in ("image-file", "images/separated"):
                self._take_images(tag, value, step, wall)
            elif kind == "histogram":
                self._take_histogram(tag, value, step, wall)
            else:
                self._other_kinds.add(str(kind))
        elif isinstance(value, str):
            self._run.payloads.append(Payload(tag, step, wall, partial(_text, tag, value)))

    def _take_images(self, tag: str, value: Mapping[str, Any], step: int, wall: float) -> None:
        names = [value["path"]] if "path" in value else value.get("filenames", [])
        within = self._files.resolve()
        files = [(within / str(name)).resolve() for name in names]
        # A log may contain any path; only files in the run's own folder are read.
        there = [file for file in files if file.is_relative_to(within) and images.is_image(file)]
        self._missing_images += len(files) - len(there)
        if there:
            notes = [str(value[key]) for key in ("caption",) if value.get(key)] + [
                str(caption) for caption in value.get("captions") or [] if caption
            ]
            self._run.payloads.append(
                images.payload_of_files(tag, there, step=step, wall=wall, description=", ".join(notes))
            )

    def _take_histogram(self, tag: str, value: Mapping[str, Any], step: int, wall: float) -> None:
        edges, counts = value.get("bins"), value.get("values")
        if isinstance(edges, list) and isinstance(counts, list) and len(edges) == len(counts) + 1:
            buckets = np.column_stack([edges[:-1], edges[1:], counts]).astype(np.float64)
            self._run.payloads.append(Payload(tag, step, wall, partial(_histogram, tag, buckets)))
        else:
            self._other_kinds.add("packed histogram")

    def _take_stats(self, fields: Fields) -> None:
        """System metrics. They have times but no steps: the samples are counted."""
        wall = _seconds(part(fields, 2))
        for item in fields.get(3, []):
            if not isinstance(item, bytes):
                continue
            one = fields_of(item)
            tag, value = SYSTEM_PREFIX + text(one, KEY), _json(text(one, VALUE_JSON))
            if isinstance(value, int | float):
                self._samples[tag] = self._samples.get(tag, -1) + 1
                self._run.points(tag).add(self._samples[tag], wall, _as_float(value))


def _update(into: dict[str, Any], fields: Fields) -> None:
    """Applies a record of set and removed keys."""
    for removed in fields.get(2, []):
        if isinstance(removed, bytes):
            into.pop(text(fields_of(removed), KEY), None)
    for keys, value in _items(fields, 1):
        _put(into, keys, value)


def _summary_values(summary: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    """Numbers, booleans and text by tag; media have only file names."""
    for key, value in summary.items():
        if not above and key in BOOKKEEPING:
            continue
        if isinstance(value, Mapping):
            if "_type" not in value:
                yield from _summary_values(value, f"{above}{key}.")
        elif isinstance(value, bool | int | float | str):
            yield f"{above}{key}", value


def _items(fields: Fields, number: int) -> Iterator[tuple[list[str], Any]]:
    for item in fields.get(number, []):
        if isinstance(item, bytes):
            one = fields_of(item)
            keys = [key.decode("utf-8", "replace") for key in one.get(NESTED_KEY, []) if isinstance(key, bytes)]
            yield keys or [text(one, KEY)], _item_value(one)


def _item_value(item: Fields) -> Any:
    """A value as JSON text, or as a plain field in newer messages."""
    if VALUE_JSON in item:
        return _json(text(item, VALUE_JSON))
    if 8 in item:
        return _json(text(item, 8))
    if 4 in item:
        return bool(whole(item, 4))
    if 5 in item:
        number = whole(item, 5)
        return (number >> 1) ^ -(number & 1)  # zigzag
    if 6 in item:
        return struct.unpack("<d", data(item, 6))[0]
    return text(item, 7) if 7 in item else None


def _json(written: str) -> Any:
    """W&B writes non-finite numbers as Python does, or as strings."""
    try:
        value = json.loads(written)
    except (ValueError, RecursionError):
        return None
    return parse_non_finite(value)


def _put(into: dict[str, Any], keys: list[str], value: Any) -> None:
    for key in keys[:-1]:
        inner = into.get(key)
        if not isinstance(inner, dict):
            inner = into[key] = {}
        into = inner
    into[keys[-1]] = value


def _as_float(value: float) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def _signed(number: int) -> int:
    return number - (1 << 64) if number >> 63 else number


def _seconds(timestamp: Fields) -> float:
    return _signed(whole(timestamp, 1)) + whole(timestamp, 2) / 1e9 if timestamp else UNKNOWN_WALL


def _text(tag: str, written: str) -> Any:
    from seamark.kinds import text as text_kind

    return text_kind.encode(tag, written)


def _histogram(tag: str, buckets: Any) -> Any:
    from seamark.kinds import histogram

    return histogram.encode_buckets(tag, buckets)
