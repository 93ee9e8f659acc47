"""ProfileOpener: reads a trace once, in a thread, into the cache; later from there."""

from __future__ import annotations

import hashlib
import logging
import tempfile
import threading
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, NamedTuple

from seamark.format.cache_folder import mark_used, remove_least_used
from seamark.format.temporary import make_temporary_folder
from seamark.profiles.analyses.kernels import find_kernels
from seamark.profiles.analyses.operators import find_operators
from seamark.profiles.analyses.overview import find_overview
from seamark.profiles.analyses.steps import find_steps
from seamark.profiles.arguments import ArgumentFile
from seamark.profiles.cache.trace_file import VERSION, load_trace, store_trace
from seamark.profiles.captures.file_forms import version_of
from seamark.profiles.form import ProfileError, Trace
from seamark.profiles.profile import Profile
from seamark.profiles.readers.any_file import copies_arguments, read_file
from seamark.profiles.readers.chrome_trace import Progress
from seamark.profiles.result_cache import SUFFIX as RESULT_SUFFIX
from seamark.profiles.result_cache import ResultCache
from seamark.profiles.results import Kernels, Operators, Overview, Steps

LOG = logging.getLogger(__name__)
FOLDER = "profiles"
TRACE_SUFFIX, ARGUMENTS_SUFFIX = ".trace", ".args"
MAX_BYTES = 32 << 30
MAX_OPEN = 8
# What the first page asks for, and what takes long to find in a large trace.
STORED_RESULTS: dict[Callable[[Profile], Any], type] = {
    find_steps: Steps,
    find_overview: Overview,
    find_operators: Operators,
    find_kernels: Kernels,
}


class ReadingState(NamedTuple):
    state: Literal["reading", "ready", "failed"]
    bytes_read: int
    bytes_total: int
    problem: str


class ProfileOpener:
    """For any thread. Without a cache folder traces are in temporary files, as long as the process runs."""

    def __init__(self, cache_dir: Path | None, *, max_bytes: int = MAX_BYTES) -> None:
        self._folder = None if cache_dir is None else cache_dir / FOLDER
        self._max_bytes = max_bytes
        self._temporary: tempfile.TemporaryDirectory[str] | None = None
        self._lock = threading.Lock()
        self._readings: OrderedDict[tuple[Path, tuple[int, int]], _Reading] = OrderedDict()
        # Reading takes the memory of a whole trace, so one is read at a time.
        self._turn = threading.Lock()

    def state(self, path: Path) -> ReadingState:
        """Starts to read the trace if nobody has, and says how far it is. Raises OSError."""
        reading = self._reading(path)
        state = reading.state()
        if state.state == "failed":
            self._forget(reading)
        return state

    def is_read(self, path: Path) -> bool:
        """Whether opening the trace takes no time worth mentioning."""
        path = path.absolute()
        try:
            version = version_of(path)
        except OSError:
            return False
        with self._lock:
            reading = self._readings.get((path, version))
        if reading is not None:
            return reading.is_finished
        return self._folder is not None and (self._folder / f"{_cache_name(path, version)}{TRACE_SUFFIX}").is_file()

    def open(self, path: Path, *, drawn_steps: Steps | None = None) -> Profile:
        """Waits until the trace is read. Raises ProfileError, OSError."""
        reading = self._reading(path)
        try:
            trace = reading.wait()
        except (ProfileError, OSError):
            self._forget(reading)
            raise
        return Profile(trace, path, drawn_steps=drawn_steps, results=self._results(*reading.key))

    def _reading(self, path: Path) -> _Reading:
        path = path.absolute()
        key = path, version_of(path)
        with self._lock:
            reading = self._readings.get(key)
            if reading is None:
                reading = _Reading(key, lambda progress: self._read(path, key[1], progress))
                self._readings[key] = reading
                self._drop_oldest()
                reading.start(self._turn)
            self._readings.move_to_end(key)
            return reading

    def _drop_oldest(self) -> None:
        finished = [key for key, reading in self._readings.items() if reading.is_finished]
        for key in finished[: max(0, len(self._readings) - MAX_OPEN)]:
            del self._readings[key]

    def _forget(self, reading: _Reading) -> None:
        """The next request reads the file again."""
        with self._lock:
            if self._readings.get(reading.key) is reading:
                del self._readings[reading.key]

    def _read(self, path: Path, version: tuple[int, int], progress: Progress) -> Trace:
        folder = self._cache_folder()
        name = _cache_name(path, version)
        stored, copies = folder / f"{name}{TRACE_SUFFIX}", folder / f"{name}{ARGUMENTS_SUFFIX}"
        cached = _load(path, stored, copies)
        if cached is not None:
            return cached
        read, arguments = read_file(path, copies, progress)
        if version_of(path) != version:
            raise ProfileError(f"the file changed while it was read: open it again: '{path.name}'")
        trace = store_trace(stored, read, arguments)
        try:
            remove_least_used(folder, (TRACE_SUFFIX, ARGUMENTS_SUFFIX, RESULT_SUFFIX), self._max_bytes)
        except OSError as error:
            LOG.warning("cannot tidy the cache of profiles (%s): '%s'", error.strerror or error, folder)
        return trace

    def _results(self, path: Path, version: tuple[int, int]) -> ResultCache | None:
        """None without a cache: then nothing opens the trace a second time."""
        if self._folder is None:
            return None
        return ResultCache(self._folder / _cache_name(path, version), STORED_RESULTS)

    def _cache_folder(self) -> Path:
        if self._folder is not None:
            return self._folder
        with self._lock:
            if self._temporary is None:
                self._temporary = make_temporary_folder("profiles")
            return Path(self._temporary.name)


class _Reading:
    """One file that is read in a thread."""

    def __init__(self, key: tuple[Path, tuple[int, int]], read: Callable[[Progress], Trace]) -> None:
        self.key = key
        self._read = read
        self._bytes_read = 0
        self._finished = threading.Event()
        self._trace: Trace | None = None
        self._error: ProfileError | OSError | None = None

    @property
    def is_finished(self) -> bool:
        return self._finished.is_set()

    def start(self, turn: threading.Lock) -> None:
        threading.Thread(target=self._run, args=(turn,), name="seamark-profile-read", daemon=True).start()

    def _run(self, turn: threading.Lock) -> None:
        try:
            with turn:
                self._trace = self._read(self._set_progress)
        except (ProfileError, OSError) as error:
            self._error = error
        except Exception as error:
            LOG.exception("a profile cannot be read: '%s'", self.key[0])
            self._error = ProfileError(f"the trace cannot be read: {error}")
        finally:
            self._finished.set()

    def _set_progress(self, bytes_read: int) -> None:
        self._bytes_read = bytes_read

    def state(self) -> ReadingState:
        total = self.key[1][0]
        if not self._finished.is_set():
            return ReadingState("reading", self._bytes_read, total, "")
        if self._error is not None:
            problem = self._error.strerror if isinstance(self._error, OSError) else None
            return ReadingState("failed", self._bytes_read, total, problem or str(self._error))
        return ReadingState("ready", total, total, "")

    def wait(self) -> Trace:
        self._finished.wait()
        if self._error is not None:
            raise self._error
        assert self._trace is not None
        return self._trace


def _cache_name(path: Path, version: tuple[int, int]) -> str:
    key = f"{path}\0{version}\0{VERSION}"
    return hashlib.blake2b(key.encode(errors="surrogatepass"), digest_size=16).hexdigest()


def _load(path: Path, stored: Path, copies: Path) -> Trace | None:
    """From the cache, if it is there with the arguments."""
    try:
        is_copied = copies_arguments(path)
        trace = load_trace(stored, ArgumentFile(copies if is_copied else path))
        if trace is not None:
            mark_used(stored)
            if is_copied:
                mark_used(copies)
        return trace
    except OSError:
        return None
