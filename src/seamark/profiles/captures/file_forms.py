"""What a file of a profiler is, by its name and, for other JSON files, by its first kilobytes."""

from __future__ import annotations

import re
import zlib
from pathlib import Path
from typing import Literal

from seamark.format import run_record

# xplane: an XSpace. chrome: events as JSON. tf_trace: the Trace message of TensorFlow 2.0 and 2.1. run_metadata: a
# serialized RunMetadata. tool: a table that TensorFlow's profiler stored instead of the trace. memory_snapshot: the
# snapshot of torch's allocator as JSON. pickle: the same, pickled: never opened. json: look inside.
FileForm = Literal["xplane", "chrome", "tf_trace", "run_metadata", "tool", "memory_snapshot", "pickle", "json"]

SUFFIXES: tuple[tuple[str, FileForm], ...] = (
    (".xplane.pb", "xplane"),
    (".pt.trace.json", "chrome"),
    (".pt.trace.json.gz", "chrome"),
    (".trace.json", "chrome"),
    (".trace.json.gz", "chrome"),
    (".trace", "tf_trace"),
    (".run_metadata.pb", "run_metadata"),
    (".runmetadata.pb", "run_metadata"),
    (".overview_page.pb", "tool"),
    (".overview_page.json", "tool"),
    (".input_pipeline.pb", "tool"),
    (".input_pipeline.json", "tool"),
    (".input_pipeline_analyzer.json", "tool"),
    (".kernel_stats.pb", "tool"),
    (".tensorflow_stats.pb", "tool"),
    (".memory_profile.pb", "tool"),
    (".memory_profile.json", "tool"),
    (".memory_profile.json.gz", "tool"),
    (".json", "json"),
    (".json.gz", "json"),
)
WHOLE_NAMES: dict[str, FileForm] = {
    "trace.json": "chrome",
    "trace.json.gz": "chrome",
    "perfetto_trace.json.gz": "chrome",
    "perfetto_trace.json": "chrome",
}
TIMELINE_NAME = re.compile(r"timeline-\d+(\.ctf)?\.json(\.gz)?")
PICKLE_NAME = re.compile(r".*(snapshot|memory).*\.(pickle|pkl)")

PROBE_BYTES = 1 << 16
PLANE_PROBE_BYTES = 64
PLANE_NAME = re.compile(rb"\x12.(/host:|/device:|Task Environment)", re.DOTALL)
EVENTS_KEY = re.compile(rb'"traceEvents"\s*:\s*\[')
# torch writes these before its events, and they may be long.
TORCH_KEYS = re.compile(rb'\A\s*\{\s*"schemaVersion"\s*:.*"(deviceProperties|distributedInfo|with_stack)"', re.DOTALL)
EVENT_ARRAY = re.compile(rb'\A\s*\[\s*\{[^\]]*?"ph"\s*:\s*"', re.DOTALL)
SNAPSHOT_KEYS = re.compile(rb'\A\s*\{\s*"(segments|device_traces)"\s*:\s*\[')


def form_of_name(name: str) -> FileForm | None:
    lower = name.lower()
    if lower == run_record.FILE_NAME:
        return None  # every run may have one: none is read to find that it is no trace
    if lower in WHOLE_NAMES:
        return WHOLE_NAMES[lower]
    if TIMELINE_NAME.fullmatch(lower):
        return "chrome"
    for suffix, form in SUFFIXES:
        if lower.endswith(suffix) and len(lower) > len(suffix):
            return form
    return "pickle" if PICKLE_NAME.fullmatch(lower) else None


def form_of_file(path: Path) -> FileForm | None:
    """Looks inside if the name does not say. Raises OSError."""
    form = form_of_name(path.name)
    if form not in (None, "json"):
        return form
    return form_of_json(path) or ("xplane" if _begins_with_plane(path) else None)


def _begins_with_plane(path: Path) -> bool:
    """Whether it looks like an XSpace, whose first field is a plane with a name."""
    with path.open("rb") as file:
        head = file.read(PLANE_PROBE_BYTES)
    return head[:1] == b"\n" and PLANE_NAME.search(head) is not None


def form_of_json(path: Path) -> Literal["chrome", "memory_snapshot"] | None:
    """From the first kilobytes, whatever the file's name is. Raises OSError."""
    with path.open("rb") as file:
        head = file.read(PROBE_BYTES)
    if head[:2] == b"\x1f\x8b":
        try:
            head = zlib.decompressobj(wbits=31).decompress(head, PROBE_BYTES)
        except zlib.error:
            return None
    head = head.removeprefix(b"\xef\xbb\xbf")
    if SNAPSHOT_KEYS.search(head):
        return "memory_snapshot"
    is_trace = EVENTS_KEY.search(head) or EVENT_ARRAY.search(head) or TORCH_KEYS.search(head)
    return "chrome" if is_trace else None


def stem_of(name: str) -> str:
    """The name without the suffix that says what it is."""
    lower = name.lower()
    for suffix, _ in SUFFIXES:
        if lower.endswith(suffix) and len(name) > len(suffix):
            return name[: -len(suffix)]
    return name.rpartition(".")[0] if PICKLE_NAME.fullmatch(lower) else name


def files_of_source(path: Path) -> list[Path]:
    """What is read as one profile: the file, and the other tables of its host if it is one. Raises OSError."""
    if form_of_name(path.name) != "tool":
        return [path]
    host = stem_of(path.name)
    return sorted(
        file
        for file in path.parent.iterdir()
        if form_of_name(file.name) == "tool" and stem_of(file.name) == host and file.is_file() and not file.is_symlink()
    )


def version_of(path: Path) -> tuple[int, int]:
    """The size and the last change of what is read. Raises OSError."""
    found = [file.stat() for file in files_of_source(path)]
    return sum(status.st_size for status in found), max((status.st_mtime_ns for status in found), default=0)
