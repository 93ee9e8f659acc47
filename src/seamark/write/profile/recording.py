"""ProfileRecording: profiles what a `with` block does, and writes it to a log directory."""

from __future__ import annotations

import logging
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import Self

from seamark.write.profile.backends import PROFILE_FOLDER, Backend, BackendName, ProfileOptions, choose_backend
from seamark.write.queue.warn_once import WarnOnce
from seamark.write.writer import ranks

logger = logging.getLogger(__name__)
_lock = threading.Lock()
_is_running = False


class ProfileRecording:
    """Records until the block ends. Call `step()` after each step, so that the profile shows them.

    A profiler that fails is a warning, never an error of the program.
    """

    def __init__(
        self, folder: Path | None, backend: BackendName, options: ProfileOptions, *, session: str = ""
    ) -> None:
        self._folder = folder  # the log directory; None records nothing
        self._session = session
        self._backend_name, self._options = backend, options
        self._backend: Backend | None = None
        self._warn_once = WarnOnce(logger, "profile")
        # The folder of the profile, after the block.
        self.folder: Path | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, error_type: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def step(self) -> None:
        """A step ends, and the next one begins."""
        if self._backend is not None:
            with self._warn_once.guard("step", "the profiler failed at this step"):
                self._backend.step()

    def start(self) -> None:
        global _is_running
        if self._folder is None:
            return
        with _lock:
            if _is_running:
                self._warn_once.warn("running", "nothing is profiled: another profile is being recorded")
                return
            _is_running = True
        try:
            backend = choose_backend(self._backend_name, self._options)
            backend.start()
            self._backend = backend
        except Exception as error:
            _is_running = False
            self._warn_once.warn("start", f"the profiler cannot be started ({error})")

    def stop(self, *, log_dir: Path | None = None, discard: bool = False) -> Path | None:
        """Writes the profile, to `log_dir` if one is given. Returns its folder; None if there is none."""
        global _is_running
        backend, self._backend = self._backend, None
        if backend is None or self._folder is None:
            return None
        try:
            backend.stop()
            if discard:
                backend.discard()
            else:
                folder = (log_dir or self._folder) / PROFILE_FOLDER / (self._session or session_name())
                folder.mkdir(parents=True, exist_ok=True)
                backend.write(folder, ranks.detect())
                self.folder = folder
        except Exception as error:
            self._warn_once.warn("stop", f"the profile cannot be written ({error})")
        finally:
            _is_running = False
        return self.folder


def record(
    log_dir: Path | None,
    *,
    rank: int | None = 0,
    backend: BackendName = "auto",
    warmup: int = 0,
    record_shapes: bool = True,
    with_stack: bool = False,
    profile_memory: bool = False,
) -> ProfileRecording:
    """A recording into a log directory; None, or another rank than `rank`, records nothing."""
    own = ranks.detect()
    options = ProfileOptions(warmup, record_shapes, with_stack, profile_memory)
    session = shared_session() if rank is None and own.size > 1 else ""
    is_recorded = rank is None or own.number == rank
    return ProfileRecording(log_dir if is_recorded else None, backend, options, session=session)


def session_name() -> str:
    """Sorts by time, with milliseconds."""
    now = time.time()
    return time.strftime("%Y_%m_%d_%H_%M_%S", time.localtime(now)) + f"_{int(now * 1000) % 1000:03d}"


def shared_session() -> str:
    """Ranks that record together begin at nearly the same time: the minute names their folder."""
    return time.strftime("%Y_%m_%d_%H_%M_00")
