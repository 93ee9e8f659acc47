"""Event bytes to columns and back: the native core.

Heavy calls release the GIL. `Stripe` and `SeriesView` never change and may be shared between threads; a `Scanner` is
for one thread at a time, and raises RuntimeError when a second one comes in.
"""

from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray
from typing_extensions import Buffer

_Buffer: TypeAlias = Buffer | NDArray[Any]  # contiguous
_Ends: TypeAlias = tuple[tuple[int, int], tuple[int, int]]
_Span: TypeAlias = tuple[int, int, int, int | None]

CRC32C_BACKEND: Final[str]  # "sse4.2", "armv8" or "software"

FORM_SCALAR: Final = 0
FORM_TENSOR: Final = 1
FORM_IMAGE: Final = 2
FORM_HISTO: Final = 3
FORM_AUDIO: Final = 4
FORM_NO_VALUE: Final = 5
FORM_OLD_HISTO: Final = 6
FORM_GRAPH_DEF: Final = 8
FORM_META_GRAPH_DEF: Final = 9
FORM_RUN_METADATA: Final = 10
FORM_SESSION_LOG: Final = 11
FORM_LOG_MESSAGE: Final = 12

SCAN_OK: Final = 0
SCAN_NEED_MORE: Final = 1
SCAN_FULL: Final = 2
SCAN_CORRUPT: Final = 3

PROBLEM_LENGTH_CRC: Final = 1
PROBLEM_DATA_CRC: Final = 2
PROBLEM_BAD_EVENT: Final = 3
PROBLEM_BAD_VALUE: Final = 4
PROBLEM_TOO_LONG: Final = 5

AXIS_STEP: Final = 0
AXIS_RELATIVE: Final = 1
AXIS_WALL: Final = 2

ATTEMPTS_LATEST: Final = 0
ATTEMPTS_ALL: Final = 1
ATTEMPTS_MARKED: Final = 2

STRIPE_VERSION: Final[int]
STRIPE_HEADER_BYTES: Final[int]

def crc32c(data: _Buffer, /, crc: int = 0) -> int: ...
def masked_crc32c(data: _Buffer, /) -> int: ...
def frame(data: _Buffer, /) -> bytes:
    """One TFRecord around `data`."""

def encode_scalar(tag: bytes, value: float, step: int, wall_time: float) -> bytes:
    """One framed event holding one simple_value, a float32."""

def encode_scalars(
    tags: list[bytes],
    tag_index: NDArray[np.uint32],
    steps: NDArray[np.int64],
    wall_times: NDArray[np.float64],
    values: NDArray[np.float64],
) -> bytes:
    """Many framed events of one value each. ValueError when lengths differ or an index is beyond the tags."""

def encode_file_version(wall_time: float, writer: bytes = b"") -> bytes:
    """The framed event that every file starts with; `writer` says which library wrote it."""

def count_between(
    values: NDArray[np.float32] | NDArray[np.float64], edges: NDArray[np.float64]
) -> tuple[NDArray[np.int64], int, float, float, float, float]:
    """Counts of the finite values in [edge, next edge), the last bin closed; how many were finite; their min, max, sum
    and sum of squares. ValueError when the edges are not ascending."""

ADDED_QUIETLY: Final = 0  # somebody already knows that there is something to drain
ADDED_FIRST: Final = 1  # the log was empty
ADDED_BRISK: Final = 2  # the log grew past `brisk_bytes`
ADDED_DROPPED: Final = 3  # no room: not added
NOT_PLAIN: Final = -1  # not added: the tag is no str, the value no number or the step no int

class EventLog:
    """Framed records waiting to be written, in the order they were added. Never releases the GIL, never blocks."""

    def __init__(self, *, max_bytes: int, max_payload_bytes: int, brisk_bytes: int) -> None: ...
    def scalar(self, tag: object, value: object, step: object, wall_time: float) -> int:
        """One of ADDED_… or NOT_PLAIN. OverflowError when a number is beyond a double, or a step beyond 64 bits."""

    def event(self, event: _Buffer) -> int:
        """Frames and adds a serialized Event."""

    def reserve(self, nbytes: int) -> bool:
        """Room for a payload that waits elsewhere; False, and counted as dropped, when there is none."""

    def release(self, nbytes: int) -> None: ...
    def take(self) -> bytes:
        """All records; the log is empty after it."""

    def clear(self) -> None: ...
    @property
    def end(self) -> int:
        """Bytes ever added: the place of what is added next."""

    @property
    def events(self) -> int: ...
    @property
    def dropped(self) -> int: ...
    @property
    def pending(self) -> int:
        """Bytes that wait."""

    @property
    def reserved(self) -> int: ...

class Scanner:
    """Follows one event file: bytes in, stripes out."""

    def __init__(self, series: list[tuple[bytes, int, bytes]] = ..., *, max_rows: int = 1048576) -> None:
        """`series` as returned by series() of an earlier scan of the same file: ids continue behind them."""

    def scan(self, data: _Buffer, offset: int) -> int:
        """data[0] lies at `offset` of the file. Returns the bytes consumed, whole records only, and sets `status`."""

    @property
    def status(self) -> int: ...
    @property
    def needed(self) -> int:
        """On SCAN_NEED_MORE: bytes wanted from the start of the unfinished record, at most 2**64 - 1."""

    @property
    def pending_rows(self) -> int: ...
    @property
    def events(self) -> int: ...
    @property
    def records(self) -> int: ...
    @property
    def first_wall(self) -> float:
        """Wall time of the first event, of any kind, that has a finite one; NaN before that."""

    def series(self, first: int = 0) -> list[tuple[bytes, int, bytes]]:
        """(tag, form, SummaryMetadata of the tag's first value), from id `first` on."""

    @property
    def series_count(self) -> int: ...
    def session_starts(self) -> list[tuple[int, float, int, dict[int, int]]]:
        """Of each SessionLog that says START: its step, wall time and offset, and how many scalar rows of each series
        were scanned before it; the first 256 of them."""

    def take_stripe(self) -> memoryview | None:
        """Groups the pending rows and hands them over; None when there are none."""

    def take_problems(self) -> list[tuple[int, int, int, int, int]]:
        """(code, offset of the record, length, got, want) since the last call, the first 1000 of them.

        got and want are checksums for the CRC codes; for PROBLEM_BAD_VALUE the tensor's dtype and its number of
        elements; for PROBLEM_TOO_LONG the length and the longest that is read.
        """

    @property
    def problem_count(self) -> int: ...
    @property
    def file_version(self) -> bytes: ...
    @property
    def source_writer(self) -> bytes: ...

class FileReader:
    """One worker's memory and, for long files, its thread that reads ahead. For one thread at a time."""

    def __init__(self, block_size: int) -> None: ...
    def read(
        self, file: int, scanner: Scanner, start: int, size: int, budget: int
    ) -> tuple[int, bool, list[memoryview], _Ends]:
        """Scans [start, size) of an open file, about `budget` bytes of it at most; OSError if it cannot be read.

        Returns how far it came, whether only the budget ended it, all stripes, and the ends of what is scanned now.
        """

class FileMap:
    """The first `length` bytes of a file, mapped. Should it be cut short, what is lost reads as zeros."""

    def __init__(self, file: int, length: int) -> None:
        """OSError when the kernel refuses; the descriptor may be closed afterwards."""

    @property
    def is_lost(self) -> bool:
        """Whether somebody touched what is no longer there."""

    def memory(self) -> memoryview:
        """Read-only; keeps the map."""

def lost_maps() -> int:
    """How many maps lost something since the process started."""

def walk(
    root: str, start: str, *, event_mark: str, empty_end: str, skipped: str
) -> tuple[list[tuple[str, str, int, int, int, int]], list[str], list[str], list[tuple[str, int]], bool, bool]:
    """Looks for event files in `start`, a folder relative to the root, and in all below it.

    Returns the files (folder, name, device, inode, size, mtime in ns), the folders of empty runs, links to folders
    (which are not followed), unreadable folders with their errno, whether `start` is missing, and whether a folder
    vanished during the walk.
    """

def ends_of(file: int, consumed: int) -> _Ends:
    """Length and checksum of the first and of the last 4 KiB before `consumed`, as far as they are there."""

class Stripe:
    """A view of a stripe's bytes, which it keeps alive."""

    def __init__(self, data: _Buffer, *, verify: bool = False) -> None:
        """ValueError, with a sentence, when `data` is no stripe; the checksum is looked at only with `verify`."""

    @property
    def nbytes(self) -> int: ...
    @property
    def scalar_rows(self) -> int: ...
    @property
    def payload_rows(self) -> int: ...
    @property
    def last_wall(self) -> float:
        """The largest finite wall time of all rows; NaN when there is none."""

    def max_step(self, skipped: list[int]) -> int | None:
        """The greatest step of all scalar series but the skipped ones, whose ids are sorted; None without points."""

    def scalar_groups(self) -> tuple[NDArray[np.uint32], NDArray[np.uint64], NDArray[np.uint64]]:
        """Series id, first row and number of rows of each group."""

    def payload_groups(self) -> tuple[NDArray[np.uint32], NDArray[np.uint64], NDArray[np.uint64]]: ...
    def scalar_step_ranges(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The smallest and the greatest step of each group."""

    def payload_step_ranges(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]: ...
    def scalars(self) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
        """Steps, wall times, values: read-only views."""

    def payloads(self) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.uint64], NDArray[np.uint64]]:
        """Steps, wall times, offsets, lengths: read-only views."""

def stripe_size(header: _Buffer) -> int:
    """The whole size of the stripe that starts with these STRIPE_HEADER_BYTES."""

def merge_stripes(stripes: list[Stripe]) -> memoryview: ...

class SeriesView:
    """One scalar series over the stripes of all its files, in order."""

    def __init__(self, parts: list[tuple[Stripe, int]], spans: list[_Span] = ...) -> None:
        """(stripe, series id in it); stripes without that series are skipped.

        Spans say which rows belong to which attempt, in order: (the part they begin in, rows of the series behind the
        beginning of that part, attempt, the step from which on a later attempt replaced them or None).
        """

    @property
    def count(self) -> int: ...
    @property
    def counted(self) -> int:
        """Points that no restart replaced."""

    @property
    def attempts(self) -> int:
        """How many attempts have points of it; one at least."""

    def last(self) -> tuple[int, float, float]:
        """Step, wall time and value of the greatest step that counts, the latest written among equals. ValueError if
        there is none."""

    def is_in_order(self, *, attempts: int) -> bool:
        """Whether the steps of every line of these attempts rise in order of arrival, so that none has to be sorted."""

    def stats(
        self,
    ) -> tuple[int, int, int, int, float, float, float, float, float, int, int, int]:
        """The keys of series_stats(), in that order. An empty series has steps 0 and NaN for the rest."""

    def columns(
        self, *, all_attempts: bool
    ) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64], NDArray[np.uint32]]:
        """A copy of steps, wall times, values, and the attempt of each point, in order of arrival. Without
        `all_attempts` only of the points that count."""

def series_stats(series: list[SeriesView]) -> dict[str, NDArray[Any]]:
    """One row per series: count and attempts of all its points, the rest of those that count.

    u64 count, attempts; i64 first_step (the smallest), last_step (the greatest); f64 first_wall, last_wall, last_value,
    finite_min, finite_max; u64 nan, posinf, neginf.
    """

def digests(
    runs: list[tuple[list[tuple[Stripe, tuple[int, ...]]], dict[int, list[_Span]]]], *, series: int, tail: int
) -> dict[str, NDArray[Any]]:
    """`series` rows per run, over the points that count, in order of step.

    Of each run its stripes in order, each with the ids that the series have in it, -1 where it has none of one; and the
    spans of those series that have some (see SeriesView).

    u64 count; f64 first, last, min, max, mean, tail (the mean of the last `tail` points), min_step, max_step (where the
    minimum and the maximum came first), last_step. What is not finite is left out of minimum, maximum and means, which
    are NaN when there is nothing else.
    """

def window(
    series: list[SeriesView],
    *,
    axis: int,
    start: float | None,
    stop: float | None,
    max_points: int,
    smoothing: float,
    attempts: int,
    edges: bool,
    columns: list[str] | None = None,
) -> dict[str, NDArray[Any]]:
    """Points of many series in [start, stop], or a grid of `max_points` columns over it where there are more.

    Rows: i64 step, step_last; f64 wall, wall_last, first, last, min, max, mean (the last three over finite values, NaN
    without any); u32 count, nan, posinf, neginf; f64 smoothed, at the last point, only with smoothing > 0; u32 attempt,
    unless attempts are ATTEMPTS_LATEST; u32 replaced (0 or 1), only with ATTEMPTS_MARKED. u64 offsets says where each
    series' rows start, with one entry more than there are series. Per series: u64 points in the window, total of the
    chosen attempts, stored of all. With `columns` only those row columns are made, and the rest costs nothing.

    ATTEMPTS_LATEST gives of each series the points that count as one line; ATTEMPTS_ALL a line for each attempt with
    all its points; ATTEMPTS_MARKED a line for each attempt that lost points, of those, and then the points that count.
    Lines are in order of x, then of arrival.

    Without start or stop, or with one that is NaN or infinitely far out, the bound is that of all series asked for.
    On a time axis points without a finite wall time are left out, though counted in total.
    """

def smooth(values: NDArray[np.float64], weight: float) -> NDArray[np.float64]:
    """TensorBoard's debiased moving average: skips what is not finite, leaves a constant series alone."""
