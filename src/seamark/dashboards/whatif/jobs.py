"""AnalysisJobs: analyses that call a model many times, in threads of their own, while somebody asks for them."""

from __future__ import annotations

import logging
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from seamark.examples.form import ExamplesError, PredictError
from seamark.examples.points.analysis import Analysis
from seamark.examples.results.points import Attributions, PartialDependence, Progress

LOG = logging.getLogger(__name__)
MAX_RUNNING = 2
MAX_JOBS = 32
# An analysis that nobody has asked for in this time is stopped.
UNATTENDED_AFTER_SECS = 20.0
# A request waits so long for the end, so that a fast analysis needs one request only.
WAIT_SECS = 0.25

State = Literal["running", "done", "stopped", "failed"]


@dataclass(eq=False)
class _Job:
    key: str
    analysis: Analysis
    attended_at: float
    state: State = "running"
    error: str = ""
    traceback: str = ""
    is_stopping: bool = False

    def result(self) -> PartialDependence | Attributions:
        state = self.state  # before the result, which may become complete meanwhile
        analysis = self.analysis
        progress = Progress(
            key=self.key,
            done=analysis.done,
            total=analysis.total,
            state=state,
            error=self.error,
            traceback=self.traceback,
            unit=analysis.unit,
        )
        return analysis.result(progress)


class AnalysisJobs:
    """For any thread. A request begins an analysis; the same request again returns how far it has come."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._changed = threading.Condition()
        self._jobs: dict[str, _Job] = {}
        self._running = 0

    def poll(self, key: str, make: Callable[[], Analysis]) -> PartialDependence | Attributions:
        """The result so far. One that failed or was stopped is returned once; the next request begins it again."""
        with self._changed:
            job = self._jobs.get(key)
        if job is None:
            job = self._begin(_Job(key, make(), self._clock()))
        with self._changed:
            job.attended_at = self._clock()
            self._changed.wait_for(lambda: job.state != "running", WAIT_SECS)
            if job.state in ("failed", "stopped") and self._jobs.get(key) is job:
                del self._jobs[key]
        return job.result()

    def stop(self, key: str) -> bool:
        """After the call that it is in. Returns whether it was running."""
        with self._changed:
            job = self._jobs.get(key)
            if job is None or job.state != "running":
                return False
            job.is_stopping = True
            self._changed.notify_all()
            return True

    def _begin(self, job: _Job) -> _Job:
        """Returns the job of another thread that was faster, if there is one."""
        with self._changed:
            if job.key in self._jobs:
                return self._jobs[job.key]
            while len(self._jobs) >= MAX_JOBS:
                oldest = min(self._jobs.values(), key=lambda other: other.attended_at)
                oldest.is_stopping = True
                del self._jobs[oldest.key]
            self._jobs[job.key] = job
        threading.Thread(target=self._run, args=(job,), name="seamark-whatif-analysis", daemon=True).start()
        return job

    def _is_unwanted(self, job: _Job) -> bool:
        return job.is_stopping or self._clock() - job.attended_at > UNATTENDED_AFTER_SECS

    # In the thread of a job

    def _run(self, job: _Job) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self._running < MAX_RUNNING or job.is_stopping)
            self._running += 1
        state: State = "done"
        try:
            for _ in job.analysis.steps():
                if self._is_unwanted(job):
                    state = "stopped"
                    break
        except PredictError as error:
            state, job.error, job.traceback = "failed", str(error), error.traceback
        except ExamplesError as error:
            state, job.error = "failed", str(error)
        except Exception as error:
            LOG.exception("an analysis failed")
            state, job.error, job.traceback = "failed", f"The analysis failed: {error}", traceback.format_exc()
        with self._changed:
            self._running -= 1
            job.state = "done" if state == "stopped" and job.analysis.done == job.analysis.total else state
            self._changed.notify_all()
