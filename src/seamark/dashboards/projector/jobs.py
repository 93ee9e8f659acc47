"""LayoutJobs: layouts that run in the background while somebody looks at them."""

from __future__ import annotations

import atexit
import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from seamark.dashboards.projector.layout_cache import LayoutCache
from seamark.embeddings.form import EmbeddingError, FloatMatrix
from seamark.embeddings.methods.layouts.layout import LabelCodes, Layout, LayoutSettings
from seamark.embeddings.methods.layouts.make import make_layout
from seamark.embeddings.methods.projected import State

LOG = logging.getLogger(__name__)
MAX_RUNNING = 2
MAX_JOBS = 16
# Layouts that find their neighbours at the same time. The newest is next: its reader waits for the first picture.
MAX_PREPARING = 4
UNATTENDED_AFTER_SECS = 30.0
STEP_SECS = 0.1
FIRST_PICTURE_SECS = 30.0
LAST_STEP_SECS = 2.0
NOT_BEGUN = -1

# The prepared rows, the settings, labels if they are needed, and the positions to begin with.
LayoutInput = tuple[FloatMatrix, LayoutSettings, LabelCodes | None, FloatMatrix | None]


@dataclass(frozen=True, eq=False)
class LayoutSnapshot:
    """Never changes. `positions` is None until there is a first picture."""

    positions: FloatMatrix | None
    epoch: int  # -1 until there is a first picture
    epochs: int
    state: State
    secs_left: float | None
    error: str


@dataclass(eq=False)
class _Job:
    key: str
    make: Callable[[], LayoutInput]
    attended_at: float
    state: State = "running"
    error: str = ""
    layout: Layout | None = None  # while it is not done
    is_stepping: bool = False
    begun: int = 0  # how often; a layout of an earlier time is abandoned
    stepped_at: float = 0.0
    positions: FloatMatrix | None = None
    epoch: int = NOT_BEGUN
    epochs: int = 0
    timed: list[tuple[int, float]] = field(default_factory=list)  # epochs and seconds of steps after the first

    def snapshot(self) -> LayoutSnapshot:
        return LayoutSnapshot(self.positions, self.epoch, self.epochs, self.state, self._secs_left(), self.error)

    def _secs_left(self) -> float | None:
        recent = self.timed[-20:]
        if self.state != "running" or not recent:
            return None
        return (self.epochs - self.epoch) * sum(secs for _, secs in recent) / sum(epochs for epochs, _ in recent)


class LayoutJobs:
    """For any thread. Jobs take turns on a few threads; one that nobody asks for waits until it is asked for again."""

    def __init__(self, cache_dir: Path | None, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._cache = LayoutCache(cache_dir)
        self._clock = clock
        self._changed = threading.Condition()
        self._jobs: dict[str, _Job] = {}
        self._workers: list[threading.Thread] = []
        self._to_prepare: list[tuple[_Job, int]] = []
        self._preparing = 0  # threads
        self._is_closed = False

    def projected(self, key: str, make: Callable[[], LayoutInput]) -> LayoutSnapshot:
        """The layout with this key as it is now; begins it if there is none. Waits for the first picture.

        `make` is called in another thread. A layout that was finished before, also by an earlier process, is done.
        """
        with self._changed:
            is_known = key in self._jobs
        positions = None if is_known else self._cache.load(key)
        with self._changed:
            if key not in self._jobs:
                self._add(_Job(key, make, self._clock()), positions)
        snapshot = self.wait(key, NOT_BEGUN, FIRST_PICTURE_SECS)
        return snapshot if snapshot is not None else self.projected(key, make)

    def snapshot(self, key: str) -> LayoutSnapshot | None:
        """None if there is no such job (any more)."""
        return self.wait(key, NOT_BEGUN - 1, 0)

    def wait(self, key: str, after: int, secs: float) -> LayoutSnapshot | None:
        """The layout as it is when it has passed the epoch `after`, or does not run any more, or the time is over."""
        with self._changed:
            job = self._attend(key)
            if job is None:
                return None
            self._changed.wait_for(lambda: job.epoch > after or job.state != "running", secs)
            job.attended_at = self._clock()
            return job.snapshot()

    def pause(self, key: str) -> LayoutSnapshot | None:
        """Returns after the last step, so that the picture does not change any more, unless that takes long."""
        with self._changed:
            job = self._attend(key)
            if job is not None and job.state == "running":
                job.state = "paused"
                self._changed.notify_all()
                self._changed.wait_for(lambda: not job.is_stepping, LAST_STEP_SECS)
            return None if job is None else job.snapshot()

    def resume(self, key: str) -> LayoutSnapshot | None:
        """Runs a paused layout on, and begins a failed one again."""
        with self._changed:
            job = self._attend(key)
            if job is not None and job.state == "paused":
                job.state = "running"
                self._changed.notify_all()
            elif job is not None and job.state == "failed":
                self._begin(job)
            return None if job is None else job.snapshot()

    def restart(self, key: str) -> LayoutSnapshot | None:
        with self._changed:
            job = self._attend(key)
            if job is not None:
                self._begin(job)
            return None if job is None else job.snapshot()

    def close(self) -> None:
        """Ends the threads after the steps that they are in."""
        atexit.unregister(self.close)
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()
        for worker in self._workers:
            worker.join(LAST_STEP_SECS)

    # With the lock

    def _attend(self, key: str) -> _Job | None:
        job = self._jobs.get(key)
        if job is not None:
            job.attended_at = self._clock()
            self._changed.notify_all()
        return job

    def _add(self, job: _Job, positions: FloatMatrix | None) -> None:
        while len(self._jobs) >= MAX_JOBS:
            oldest = min(self._jobs.values(), key=lambda other: other.attended_at)
            del self._jobs[oldest.key]
            oldest.state, oldest.layout = "paused", None
            self._changed.notify_all()
        self._jobs[job.key] = job
        if positions is None:
            self._begin(job)
        else:
            job.positions, job.state = positions, "done"

    def _begin(self, job: _Job) -> None:
        job.state, job.error, job.layout, job.timed = "running", "", None, []
        job.epoch, job.begun = NOT_BEGUN, job.begun + 1
        self._changed.notify_all()
        # In threads of their own: the first picture must not wait for the steps of other layouts.
        self._to_prepare.append((job, job.begun))
        if self._preparing < MAX_PREPARING:
            self._preparing += 1
            threading.Thread(target=self._prepare, name="seamark-layout-first", daemon=True).start()
        if not self._workers:
            self._workers = [
                threading.Thread(target=self._work, name=f"seamark-layout-{number}", daemon=True)
                for number in range(MAX_RUNNING)
            ]
            for worker in self._workers:
                worker.start()
            # A thread that is inside the core when the interpreter ends would abort the process.
            atexit.register(self.close)

    def _next_job(self) -> _Job | None:
        """The one that waits longest of those that can run."""
        attended_since = self._clock() - UNATTENDED_AFTER_SECS
        ready = [
            job
            for job in self._jobs.values()
            if job.state == "running"
            and job.layout is not None
            and not job.is_stepping
            and job.attended_at >= attended_since
        ]
        return min(ready, key=lambda job: job.stepped_at, default=None)

    def _fail(self, job: _Job, error: Exception) -> None:
        job.state, job.layout, job.error = "failed", None, _sentence(error)
        self._changed.notify_all()

    def _publish(self, job: _Job, layout: Layout) -> None:
        job.positions = layout.positions.copy()
        job.epoch, job.epochs = layout.epoch, layout.epochs
        if layout.is_done:
            # It would keep the matrix in memory.
            job.state, job.layout = "done", None
        self._changed.notify_all()

    # In threads of their own

    def _prepare(self) -> None:
        """Makes the layouts that wait, except those that were begun again or dropped since."""
        while True:
            with self._changed:
                self._to_prepare = [(job, begun) for job, begun in self._to_prepare if self._is_wanted(job, begun)]
                if not self._to_prepare or self._is_closed:
                    self._preparing -= 1
                    return
                job, begun = self._to_prepare.pop()
            self._make(job, begun)

    def _is_wanted(self, job: _Job, begun: int) -> bool:
        return job.begun == begun and self._jobs.get(job.key) is job

    def _make(self, job: _Job, begun: int) -> None:
        try:
            layout = make_layout(*job.make())
        except Exception as error:
            with self._changed:
                if self._is_wanted(job, begun):
                    self._fail(job, error)
            return
        with self._changed:
            if self._is_wanted(job, begun):
                job.layout = layout
                self._publish(job, layout)

    def _work(self) -> None:
        while True:
            with self._changed:
                job = self._next_job()
                while job is None and not self._is_closed:
                    self._changed.wait()
                    job = self._next_job()
                if self._is_closed or job is None:
                    return
                layout, begun, job.is_stepping = job.layout, job.begun, True
            if layout is not None:
                self._step(job, layout, begun)

    def _step(self, job: _Job, layout: Layout, begun: int) -> None:
        epoch, started = layout.epoch, time.monotonic()
        failure: Exception | None = None
        try:
            layout.step(STEP_SECS)
        except Exception as error:
            failure = error
        with self._changed:
            job.is_stepping, job.stepped_at = False, time.monotonic()
            self._changed.notify_all()
            if job.begun != begun:
                return
            if failure is not None:
                self._fail(job, failure)
                return
            if epoch > 0:
                job.timed.append((layout.epoch - epoch, job.stepped_at - started))
            self._publish(job, layout)
        if layout.is_done:
            self._cache.store(job.key, layout.positions)


def _sentence(error: Exception) -> str:
    if isinstance(error, EmbeddingError):
        return str(error)
    if isinstance(error, MemoryError):
        return "There is not enough memory for these rows: choose fewer."
    # The interpreter first ends the threads that share the work of a step.
    if not (isinstance(error, RuntimeError) and "shutdown" in str(error)):
        LOG.error("a layout failed", exc_info=error)
    return f"The layout failed: {error}"
