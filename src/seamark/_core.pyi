"""
Event bytes to columns and back: the native core.

Long calls release the GIL. Stripe and SeriesView are immutable and may be shared between threads. A Scanner or a
FileReader is for one thread at a time, and raises RuntimeError in a second one.
"""

from collections.abc import Sequence
from typing import Any, overload

import numpy
import numpy.typing
from typing_extensions import Buffer

FORM_SCALAR: int = 0

FORM_TENSOR: int = 1

FORM_IMAGE: int = 2

FORM_HISTO: int = 3

FORM_AUDIO: int = 4

FORM_NO_VALUE: int = 5

FORM_OLD_HISTO: int = 6

FORM_GRAPH_DEF: int = 8

FORM_META_GRAPH_DEF: int = 9

FORM_RUN_METADATA: int = 10

FORM_SESSION_LOG: int = 11

FORM_LOG_MESSAGE: int = 12

SCAN_OK: int = 0

SCAN_INCOMPLETE: int = 1

SCAN_FULL: int = 2

SCAN_CORRUPT: int = 3

PROBLEM_LENGTH_CRC: int = 1

PROBLEM_DATA_CRC: int = 2

PROBLEM_BAD_EVENT: int = 3

PROBLEM_BAD_VALUE: int = 4

PROBLEM_TOO_LONG: int = 5

AXIS_STEP: int = 0

AXIS_RELATIVE: int = 1

AXIS_WALL: int = 2

ATTEMPTS_LATEST: int = 0

ATTEMPTS_ALL: int = 1

ATTEMPTS_MARKED: int = 2

STRIPE_VERSION: int = 1

def masked_crc32c(data: Buffer | numpy.typing.NDArray[Any]) -> int:
    """The CRC-32C of `data`, masked as in TFRecords."""

def frame(data: Buffer | numpy.typing.NDArray[Any]) -> bytes:
    """One TFRecord of `data`."""

def unframe(records: Buffer | numpy.typing.NDArray[Any]) -> list[bytes]:
    """
    The data of each intact record, up to the first that is incomplete or damaged.
    """

def record_ends(records: Buffer | numpy.typing.NDArray[Any]) -> list[int]:
    """
    The end of each record of a buffer, up to the first that is incomplete.
    """

def encode_scalar(tag: bytes, value: float, step: int, wall_time: float) -> bytes:
    """One framed event with one simple_value, a float32."""

def encode_scalars(
    tags: list[bytes],
    tag_index: numpy.typing.NDArray[numpy.uint32],
    steps: numpy.typing.NDArray[numpy.int64],
    wall_times: numpy.typing.NDArray[numpy.float64],
    values: numpy.typing.NDArray[numpy.float64],
) -> bytes:
    """
    Many framed events of one value each. ValueError if lengths differ or an index is too large.
    """

def encode_file_version(wall_time: float, writer: bytes = b"") -> bytes:
    """The framed event that starts every file; `writer` names the library."""

@overload
def count_between(
    values: numpy.typing.NDArray[numpy.float32], edges: numpy.typing.NDArray[numpy.float64]
) -> tuple[numpy.typing.NDArray[numpy.int64], int, float, float, float, float]:
    """
    Counts of the finite values in [edge, next edge), the last bin closed; the number of finite values; their
    minimum, maximum, sum and sum of squares. ValueError if the edges are not ascending.
    """

@overload
def count_between(
    values: numpy.typing.NDArray[numpy.float64], edges: numpy.typing.NDArray[numpy.float64]
) -> tuple[numpy.typing.NDArray[numpy.int64], int, float, float, float, float]: ...

ADD_QUEUED: int = 0

ADD_FIRST: int = 1

ADD_SHOULD_FLUSH: int = 2

ADD_DROPPED: int = 3

NOT_PLAIN: int = -1

class EventLog:
    """
    A bounded queue of framed records, in the order they were added. Never releases the GIL, never blocks.

    An addition returns ADD_QUEUED, ADD_FIRST if the log was empty, ADD_SHOULD_FLUSH if it grew past
    `flush_bytes`, or ADD_DROPPED if it is full.
    """

    def __init__(self, *, max_bytes: int, max_payload_bytes: int, flush_bytes: int) -> None: ...
    def scalar(self, tag: object, value: object, step: object, wall_time: float) -> int:
        """
        Returns NOT_PLAIN, and adds nothing, if the tag is not a str, the value not a number or the step not an int.
        OverflowError if the value is too large for a double, or the step for 64 bits.
        """

    def event(self, event: Buffer | numpy.typing.NDArray[Any]) -> int:
        """Frames and adds a serialized Event."""

    def reserve(self, nbytes: int) -> bool:
        """
        Reserves room for a payload that waits elsewhere. False, and counted as dropped, if there is none.
        """

    def release(self, nbytes: int) -> None: ...
    def take(self) -> bytes:
        """Returns all records and leaves the log empty."""

    def clear(self) -> None:
        """Also resets the counts."""

    @property
    def end(self) -> int:
        """Bytes added so far: the position of the next record."""

    @property
    def dropped(self) -> int: ...
    @property
    def pending(self) -> int:
        """Bytes in the log."""

class ScanResult:
    @property
    def consumed(self) -> int:
        """Bytes of whole records."""

    @property
    def status(self) -> int:
        """One of SCAN_…"""

    @property
    def needed_bytes(self) -> int:
        """
        With SCAN_INCOMPLETE: how many bytes from the start of the record would complete it.
        """

class Scanner:
    """Turns the bytes of one event file into stripes."""

    def __init__(self, series: list[tuple[bytes, int, bytes]] = ..., *, max_rows: int = 1048576) -> None:
        """
        `series` is the result of series() of an earlier scan of the same file: new ids continue after them.
        """

    def scan(self, data: Buffer | numpy.typing.NDArray[Any], offset: int) -> ScanResult:
        """Scans whole records; `offset` is the position of data[0] in the file."""

    def series(self, first: int = 0) -> list[tuple[bytes, int, bytes]]:
        """
        (tag, form, SummaryMetadata of the tag's first value), from id `first` on.
        """

    def take_problems(self) -> list[tuple[int, int, int, int, int]]:
        """
        (code, offset of the record, length, got, want) since the last call, at most 1000.

        got and want are checksums for the CRC codes; for PROBLEM_BAD_VALUE the tensor's dtype and its number of
        elements; for PROBLEM_TOO_LONG the length and the maximum.
        """

    def session_starts(self) -> list[tuple[int, float, int, dict[int, int]]]:
        """
        Of each SessionLog with status START: step, wall time, offset, and how many scalar rows of each series
        were scanned before it; at most 256.
        """

    def take_stripe(self) -> memoryview | None:
        """Groups the pending rows and returns them; None if there are none."""

    @property
    def events(self) -> int: ...
    @property
    def first_wall(self) -> float:
        """Wall time of the first event that has a finite one; NaN before that."""

    @property
    def problem_count(self) -> int: ...
    @property
    def series_count(self) -> int: ...
    @property
    def file_version(self) -> bytes: ...

class FileReader:
    """
    The memory of one thread that reads files and, for long files, its two helper threads.
    """

    def __init__(self, block_size: int) -> None: ...
    def read(
        self, file: int, scanner: Scanner, start: int, size: int, budget: int
    ) -> tuple[int, bool, list[memoryview], tuple[tuple[int, int], tuple[int, int]]]:
        """
        Scans [start, size) of the file, at most about `budget` bytes of it.

        Returns the position up to which whole records were scanned, whether the budget ended the read, the stripes, and
        the fingerprint of the file up to that position. OSError if the file cannot be read.
        """

    def open_and_read(
        self, path: str, scanner: Scanner, budget: int
    ) -> tuple[tuple[int, int, int, int], int, bool, list[memoryview], tuple[tuple[int, int], tuple[int, int]]]:
        """
        Opens the file and scans it from its start.

        Returns device, inode, size and mtime in ns of the file, and what `read` returns. One call: each further one may
        wait for the GIL.
        """

class FileMap:
    """
    A file mapped into memory. If it is truncated meanwhile, the missing pages read as zeros.
    """

    def __init__(self, file: int, length: int) -> None:
        """OSError if the file cannot be mapped."""

    @property
    def is_truncated(self) -> bool: ...
    def memory(self) -> memoryview:
        """A view that keeps the map alive."""

def truncated_map_count() -> int:
    """The number of maps found truncated since the process started."""

def walk(
    root: str, start: str, *, event_file_mark: str, empty_run_suffix: str, skipped: str
) -> tuple[list[tuple[str, str, int, int, int, int]], list[str], list[str], list[tuple[str, int]], bool, bool]:
    """
    Finds the event files in `start`, a folder relative to the root, and below it.

    Returns the files (folder, name, device, inode, size, mtime in ns), the folders of empty runs, links to folders
    (which are not followed), unreadable folders with their errno, whether `start` is missing, and whether a folder
    vanished during the walk.
    """

def fingerprint_file(file: int, consumed: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """
    Length and checksum of the first and of the last 4 KiB before `consumed`.
    """

def read_run_folders(
    folders: list[bytes], names: list[bytes], *, max_bytes: int, threads: int
) -> list[tuple[tuple[int, int, int] | None, list[tuple[str, tuple[int, int, int], bytes]], list[str]]]:
    """
    Reads the files called `names` in each folder, in several threads and without the GIL.

    For each folder: its identity (inode, size, mtime in ns; None without such a folder), the regular files with
    their identity and content, and the names of entries that were not read (links, folders, files of more than
    `max_bytes`).
    """

def hparam_names(metadata: bytes) -> bytes | None:
    """
    The names in the metadata of a session start, sorted, each followed by a zero byte; None for anything else.
    """

def plugin_name(metadata: bytes) -> str | None:
    """
    The plugin's name in SummaryMetadata; None for metadata with several plugins, with text that is not ASCII, and
    for malformed bytes: protobuf can tell.
    """

class Stripe:
    """A view of the bytes of a stripe, which it keeps alive."""

    def __init__(self, data: Buffer | numpy.typing.NDArray[Any], *, verify: bool = False) -> None:
        """
        ValueError if `data` is not a stripe. Compares the checksum only with `verify`.
        """

    @property
    def nbytes(self) -> int: ...
    @property
    def scalar_rows(self) -> int: ...
    @property
    def payload_rows(self) -> int: ...
    @property
    def last_wall(self) -> float:
        """The largest finite wall time of all rows; NaN if there is none."""

    def max_step(self, skipped: list[int]) -> int | None:
        """
        The greatest step of all scalar series except those with the ids in `skipped`, which are sorted.
        None without points.
        """

    def scalar_groups(
        self,
    ) -> tuple[
        numpy.typing.NDArray[numpy.uint32], numpy.typing.NDArray[numpy.uint64], numpy.typing.NDArray[numpy.uint64]
    ]:
        """Series id, first row and number of rows of each group."""

    def payload_groups(
        self,
    ) -> tuple[
        numpy.typing.NDArray[numpy.uint32], numpy.typing.NDArray[numpy.uint64], numpy.typing.NDArray[numpy.uint64]
    ]: ...
    def scalar_step_ranges(self) -> tuple[numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int64]]:
        """The smallest and the greatest step of each group."""

    def payload_step_ranges(self) -> tuple[numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int64]]: ...
    def scalars(
        self,
    ) -> tuple[
        numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64]
    ]:
        """Steps, wall times, values: read-only views."""

    def payloads(
        self,
    ) -> tuple[
        numpy.typing.NDArray[numpy.int64],
        numpy.typing.NDArray[numpy.float64],
        numpy.typing.NDArray[numpy.uint64],
        numpy.typing.NDArray[numpy.uint64],
    ]:
        """Steps, wall times, offsets, lengths: read-only views."""

def merge_stripes(stripes: list[Stripe]) -> memoryview:
    """One stripe with the rows of all, in order."""

class SeriesView:
    """One scalar series over the stripes of all its files, in order."""

    def __init__(self, parts: list[tuple[Stripe, int]], spans: list[tuple[int, int, int, int | None]] = ...) -> None:
        """
        Each part is a stripe and the id of the series in it; stripes without that series are skipped.

        Spans assign rows to attempts, in order: (the part they start in, rows of the series after the start of
        that part, attempt, the first step that a later attempt replaced or None).
        """

    @property
    def count(self) -> int: ...
    @property
    def current_count(self) -> int:
        """Points that no restart replaced."""

    @property
    def attempts(self) -> int:
        """Attempts that have points of it, at least one."""

    def last(self) -> tuple[int, float, float]:
        """
        Step, wall time and value of the current point with the greatest step, the latest written among equals.
        ValueError if there is none.
        """

    def is_in_order(self, *, attempts: int) -> bool:
        """
        Whether the steps of every line of these attempts are in order of arrival, so that none has to be sorted.
        """

    def columns(
        self, *, all_attempts: bool
    ) -> tuple[
        numpy.typing.NDArray[numpy.int64],
        numpy.typing.NDArray[numpy.float64],
        numpy.typing.NDArray[numpy.float64],
        numpy.typing.NDArray[numpy.uint32],
    ]:
        """
        A copy of steps, wall times, values and attempts, in order of arrival; without `all_attempts`, only of the
        current points.
        """

def series_stats(series: list[SeriesView]) -> dict[str, numpy.typing.NDArray[Any]]:
    """
    One row per series: count and attempts of all its points, the rest of the current points.

    uint64 count, attempts; int64 first_step (the smallest), last_step (the greatest); float64 first_wall, last_wall,
    last_value, min_value, max_value (over finite values); uint64 nan, posinf, neginf. Without points, integers are 0
    and the rest is NaN.
    """

def digests(
    runs: list[tuple[list[tuple[Stripe, tuple[int, ...]]], dict[int, list[tuple[int, int, int, int | None]]]]],
    *,
    series: int,
    tail: int,
) -> dict[str, numpy.typing.NDArray[Any]]:
    """
    `series` rows per run, over the current points in order of step.

    Each run is its stripes in order, each with the ids of the series in it, -1 where it has none of one; and the spans
    of the series that have any (see SeriesView).

    uint64 count; float64 first, last, min, max, mean, tail (the mean of the last `tail` points), min_step, max_step
    (where the extreme was reached first), last_step. Minimum, maximum and means are over finite values,
    NaN without any.
    """

WINDOW_COLUMNS: tuple[str, ...]

OPTIONAL_WINDOW_COLUMNS: tuple[str, ...]

def window(
    series: list[SeriesView],
    *,
    axis: int,
    start: float | None,
    stop: float | None,
    max_points: int,
    smoothing: float,
    adaptive: bool = False,
    visible: float | None = None,
    attempts: int,
    edges: bool,
    columns: list[str] | None = None,
) -> dict[str, numpy.typing.NDArray[Any]]:
    """
    The points of many series in [start, stop], or a grid of `max_points` columns over it if there are more.

    Row columns: int64 step, step_last; float64 wall, wall_last, first, last, min, max, mean (the last three over
    finite values, NaN without any); uint32 count, nan, posinf, neginf; float64 smoothed, at the last point, only
    with smoothing > 0; uint32 attempt, not with ATTEMPTS_LATEST; uint32 replaced (0 or 1), only with
    ATTEMPTS_MARKED. uint64 offsets: where the rows of each series start, and the total. Per series: uint64 points
    in the window, total of the chosen attempts, stored of all; float64 weight, only with smoothing > 0. `columns`
    limits the row columns, and so the cost.

    `smoothing` is the weight of the moving average from one point to the next; with `adaptive`, its half-life as a
    share of `visible`, or else of [start, stop]. weight is what was used; 0 for a series that stays as logged.

    ATTEMPTS_LATEST gives the current points of each series as one line; ATTEMPTS_ALL a line for each attempt with
    all its points; ATTEMPTS_MARKED a line for each attempt that lost points, of those, and then the current
    points. Lines are in order of x, then of arrival.

    Without start or stop, or with one that is NaN or infinite, the bound is that of all series together. On a
    time axis, points without a finite wall time are left out, but counted in total.
    """

POINTS_ROWS: int = 0

POINTS_OBJECTS: int = 1

def points_json(
    walls: numpy.typing.NDArray[numpy.float64],
    steps: numpy.typing.NDArray[numpy.int64],
    values: numpy.typing.NDArray[numpy.float64],
    layout: int,
) -> bytes:
    """
    The points as JSON text: POINTS_ROWS gives [[wall time, step, value], …], POINTS_OBJECTS
    [{"wallTime": …, "step": …, "value": …}, …]. Non-finite numbers are strings. ValueError for columns of
    different lengths or an unknown layout.
    """

class MessageText:
    """Formats protobuf messages of one type as text, and parses them."""

    def __init__(
        self,
        messages: Sequence[Sequence[tuple[int, str, int, int, bool, bool]]],
        enums: Sequence[Sequence[tuple[int, str]]],
    ) -> None:
        """
        messages: the fields of each type, in order of numbers, as (number, name, type as in FieldDescriptor, index
        of its message or enum, is repeated, is a map); the first type is the one to format. enums: (number, name),
        in order of numbers. ValueError for an invalid schema.
        """

    def format(self, data: bytes) -> bytes:
        """
        The text of a serialized message, in UTF-8, without unknown fields. ValueError for malformed bytes.
        """

    def parse(self, text: bytes) -> bytes:
        """
        The serialized message of a text in UTF-8, without unknown fields. ValueError, with the line, for other text.
        """

def parse_numbers(
    text: Buffer | numpy.typing.NDArray[Any], separator: str
) -> tuple[numpy.typing.NDArray[numpy.float32], int]:
    """
    The numbers of lines of cells, row by row, and how many are on each line. Empty lines are skipped.
    ValueError if a cell is no number, or if a line has another number of cells.
    """

class GraphColumns:
    """
    The nodes and edges of a GraphDef. Indices into lists of names and shapes.
    """

    def names(self) -> list[str]:
        """The nodes' names, as they are."""

    def op_names(self) -> list[str]: ...
    def device_names(self) -> list[str]:
        """The first is empty: no device."""

    def source_names(self) -> list[str]:
        """Of the attribute `source`. The first is empty: none."""

    def module_names(self) -> list[str]:
        """Of the attribute `module`. The first is empty: none."""

    def nodes(self) -> dict[str, numpy.typing.NDArray[Any]]:
        """
        ops, devices, sources, modules, trainable (-1: not stated), variable_shapes (the attribute `shape`, or -1),
        output_starts, output_dtypes (numbers of DataType), output_shapes (-1: unknown), attribute_starts.
        """

    def edges(self) -> dict[str, numpy.typing.NDArray[Any]]:
        """
        sources, targets, outputs (of the source), inputs (of the target), is_control; in order of targets.
        """

    def shapes(self) -> list[tuple[int, ...] | None]:
        """-1 for a dimension of any size."""

    def functions(self) -> list[tuple[str, int, int, int, int]]:
        """
        (name, first node, number of arguments, number of results, one past the last node). Nodes of arguments
        come first, then the body, then nodes of results.
        """

    def calls(self) -> list[tuple[int, int, str]]:
        """
        (node, function, the attribute that names it; "" if the node's op does)
        """

    def missing_inputs(self) -> list[tuple[int, str]]:
        """(node, name of an input that no node has)"""

    def take_attributes(self) -> bytes:
        """The attributes of all nodes, each a StoredAttributes. Once."""

    @property
    def debug_info(self) -> bytes:
        """A GraphDebugInfo."""

    @property
    def producer(self) -> int: ...
    @property
    def bad_nodes(self) -> int:
        """How many nodes are malformed and left out."""

    @property
    def consumed(self) -> int:
        """
        Bytes that were read; fewer than `size` if the data ends within a field.
        """

    @property
    def size(self) -> int:
        """Bytes of the GraphDef."""

def scan_graph(data: Buffer | numpy.typing.NDArray[Any], *, max_nodes: int, path: list[int] = ...) -> GraphColumns:
    """
    Reads a GraphDef, or one inside another message: `path` has the numbers of the fields that lead to it. One that
    ends early gives what comes before its end. ValueError for bytes that are no GraphDef, and for more than
    `max_nodes` nodes.
    """

class TraceColumns:
    """A trace that was read. Each column may be taken once."""

    @property
    def origin_ns(self) -> int: ...
    @property
    def slices(self) -> int: ...
    def tracks(self) -> list[dict[str, Any]]:
        """
        type, name, tid, pid, process (its name), labels, is_device, first_row, rows, slices; in order.
        """

    def names(self) -> list[tuple[str, str]]:
        """(text, category)"""

    def counters(self) -> list[tuple[str, str, str, int, int]]:
        """(name, series, process, first point, points)"""

    def column_names(self) -> list[str]: ...
    def take(self, name: str) -> numpy.typing.NDArray[Any]:
        """A column of Trace, by its name there."""

    def field_names(self) -> list[str]: ...
    def instant_field_names(self) -> list[str]: ...
    def take_field(self, name: str) -> tuple[numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[Any]]:
        """Ascending indices of slices, values."""

    def take_instant_field(self, name: str) -> tuple[numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[Any]]: ...
    def problems(self) -> list[str]:
        """Sentences."""

class JsonTraceScanner:
    """Reads a Chrome trace from blocks of its bytes."""

    def __init__(self, *, copies_arguments: bool) -> None:
        """
        With copies_arguments the places of arguments are positions in what take_arguments() returns, else in the
        bytes.
        """

    def feed(self, data: Buffer | numpy.typing.NDArray[Any]) -> None: ...
    def take_arguments(self) -> bytes:
        """The text of arguments since the last call."""

    def finish(self) -> TraceColumns:
        """Once, after the last block."""

    def metadata(self) -> list[tuple[str, bytes]]:
        """(key, JSON) of the members beside the events."""

    @property
    def events(self) -> int: ...
    @property
    def is_json(self) -> bool:
        """After finish()."""

    @property
    def has_events(self) -> bool: ...
    @property
    def ends_early(self) -> bool:
        """After finish()."""

class NeighbourGraph:
    """The neighbours of each point with weights, in both directions."""

    def __init__(
        self,
        neighbours: numpy.typing.NDArray[numpy.int32],
        weights: numpy.typing.NDArray[numpy.float32],
        *,
        is_union: bool,
    ) -> None:
        """
        From one row for each point. The weights a and b of both directions become a + b, or a + b - ab.
        """

    @property
    def points(self) -> int: ...
    @property
    def edges(self) -> int: ...

def attract(
    graph: NeighbourGraph,
    positions: numpy.typing.NDArray[numpy.float32],
    first: int,
    end: int,
    forces: numpy.typing.NDArray[numpy.float32],
) -> None:
    """
    Writes the attraction of t-SNE for a range of points: the sum of weight * (a - b) / (1 + |a - b|²).
    """

class RepulsionTree2:
    """
    The repulsion of t-SNE between all points, after Barnes and Hut. Immutable.
    """

    def __init__(self, positions: numpy.typing.NDArray[numpy.float32], theta: float) -> None:
        """
        Cells whose side is less than `theta` times their distance count as one point.
        """

    @property
    def groups(self) -> int:
        """Groups of nearby points: the unit of work."""

    def repel(
        self,
        first: int,
        end: int,
        forces: numpy.typing.NDArray[numpy.float32],
        sums: numpy.typing.NDArray[numpy.float32],
    ) -> None:
        """
        With q = 1 / (1 + |a - b|²), writes the sums of q² * (a - b) and of q for the points a of a range of groups.
        """

class RepulsionTree3:
    """
    The repulsion of t-SNE between all points, after Barnes and Hut. Immutable.
    """

    def __init__(self, positions: numpy.typing.NDArray[numpy.float32], theta: float) -> None:
        """
        Cells whose side is less than `theta` times their distance count as one point.
        """

    @property
    def groups(self) -> int:
        """Groups of nearby points: the unit of work."""

    def repel(
        self,
        first: int,
        end: int,
        forces: numpy.typing.NDArray[numpy.float32],
        sums: numpy.typing.NDArray[numpy.float32],
    ) -> None:
        """
        With q = 1 / (1 + |a - b|²), writes the sums of q² * (a - b) and of q for the points a of a range of groups.
        """

def umap_epoch(
    graph: NeighbourGraph,
    before: numpy.typing.NDArray[numpy.float32],
    first: int,
    end: int,
    after: numpy.typing.NDArray[numpy.float32],
    *,
    epoch: int,
    seed: int,
    a: float,
    b: float,
    learning_rate: float,
    negative_samples: int,
) -> None:
    """
    Writes the positions of a range of points after an epoch of UMAP. Equal arguments give equal results.
    """

def build_longest(duration: numpy.typing.NDArray[numpy.int64]) -> tuple[numpy.typing.NDArray[numpy.uint32], ...]:
    """
    The index of the longest slice of each block of 16, of each block of 256, …, for TraceSlices.
    """

class TraceSlices:
    """The slices of a trace, for queries. Immutable; for any thread."""

    def __init__(
        self,
        *,
        start: numpy.typing.NDArray[numpy.int64],
        duration: numpy.typing.NDArray[numpy.int64],
        name: numpy.typing.NDArray[numpy.uint32],
        row_start: numpy.typing.NDArray[numpy.int64],
        row_track: numpy.typing.NDArray[numpy.int32],
        parent: numpy.typing.NDArray[numpy.int32],
        longest: Sequence[numpy.typing.NDArray[numpy.uint32]],
    ) -> None:
        """
        The columns as in seamark.profiles.form.Trace. Raises ValueError if they do not fit together.
        """

    def window(
        self,
        activity_of_name: numpy.typing.NDArray[numpy.uint8],
        rows: numpy.typing.NDArray[numpy.int64],
        from_ns: int,
        to_ns: int,
        width: int,
    ) -> dict[str, numpy.typing.NDArray[Any]]:
        """
        The slices of some rows between two times; those narrower than a pixel are merged into blocks.

        Columns: int32 row; int64 start, duration; uint32 name; uint8 activity; uint32 slice (of a block: the
        longest one, which also gives name and activity), count.
        """

    def search(
        self, is_match: numpy.typing.NDArray[numpy.uint8], limit: int
    ) -> tuple[numpy.typing.NDArray[numpy.uint32], int, int]:
        """
        The slices whose name is marked: the first `limit` by start, how many there are, the longest or -1.
        """

    def sums(
        self,
        group_of_name: numpy.typing.NDArray[numpy.uint32],
        groups: int,
        rows: numpy.typing.NDArray[numpy.int64],
        from_ns: int,
        to_ns: int,
    ) -> dict[str, numpy.typing.NDArray[Any]]:
        """
        Sums over the slices of some tracks between two times, for each group of names; without groups for each
        track. int64 count, total, self (clipped), longest (-1: no slice); int32 track (-1: several).
        """

    def busy(
        self,
        is_busy: numpy.typing.NDArray[numpy.uint8],
        rows: numpy.typing.NDArray[numpy.int64],
        from_ns: int,
        to_ns: int,
    ) -> int:
        """How long at least one slice runs whose name is marked."""

    def stacks(
        self, slices: numpy.typing.NDArray[numpy.int64], from_ns: int, to_ns: int, max_nodes: int
    ) -> tuple[dict[str, numpy.typing.NDArray[Any]], numpy.typing.NDArray[numpy.int32], bool]:
        """
        Slices as a tree of names. One entry for each node, parents first: int32 parent (-1: a root); uint32 name;
        int64 calls, total, self, longest. Also the node of each slice of the trace (-1: none), and whether
        `max_nodes` cut the tree.
        """

class XPlaneScanner:
    """Reads the events of an XSpace."""

    def __init__(self) -> None: ...
    def scan(self, data: Buffer | numpy.typing.NDArray[Any]) -> None:
        """Once."""

    def finish(self) -> TraceColumns:
        """Once, after scan()."""

    @property
    def bytes_read(self) -> int:
        """For any thread."""

    @property
    def bad_events(self) -> int: ...
    @property
    def summed_events(self) -> int: ...
    @property
    def unnamed_events(self) -> int: ...
    @property
    def is_cut(self) -> bool: ...
    @property
    def is_corrupt(self) -> bool: ...

def index_xplane_metadata(
    data: Buffer | numpy.typing.NDArray[Any],
) -> tuple[numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int64]]:
    """
    Of the events and of the stats in a part of a plane: (id, start, end) of each, one after another, by id.
    """
