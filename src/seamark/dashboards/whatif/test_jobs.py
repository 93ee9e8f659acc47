from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import ClassVar, Literal

import pytest

from seamark.dashboards.whatif import jobs as jobs_module
from seamark.dashboards.whatif.jobs import AnalysisJobs
from seamark.examples.form import PredictError
from seamark.examples.results.points import Attributions, Progress

pytestmark = pytest.mark.timed


class Steps:
    """An analysis whose steps the test allows one by one."""

    unit: Literal["rows", "samples"] = "rows"
    made: ClassVar[list[Steps]] = []

    def __init__(self, total: int, error: Exception | None = None) -> None:
        self.made.append(self)
        self.total, self.done, self.error = total, 0, error
        self.allowed = threading.Semaphore(0)
        self.ended = threading.Event()

    def steps(self) -> Iterator[None]:
        try:
            while self.done < self.total:
                assert self.allowed.acquire(timeout=30)
                if self.error:
                    raise self.error
                self.done += 1
                yield
        finally:
            self.ended.set()

    def result(self, progress: Progress) -> Attributions:
        return Attributions("shapley", "", None, None, "", (), self.done, (), progress)


@pytest.fixture(autouse=True)
def end_all() -> Iterator[None]:
    """No thread waits beyond its test."""
    yield
    for analysis in Steps.made:
        analysis.total = analysis.done
        analysis.allowed.release()
    Steps.made.clear()


def poll_until(jobs: AnalysisJobs, key: str, analysis: Steps, state: str) -> Progress:
    for _ in range(400):
        progress = jobs.poll(key, lambda: analysis).progress
        if progress.state == state:
            return progress
    raise AssertionError(f"the job is {progress.state}, want {state}")


def test_the_same_key_returns_how_far_the_job_has_come() -> None:
    jobs, analysis = AnalysisJobs(), Steps(3)
    assert jobs.poll("a", lambda: analysis).progress.state == "running"
    analysis.allowed.release(2)
    while (progress := jobs.poll("a", lambda: Steps(9)).progress).done < 2:
        assert progress.state == "running"
    assert (progress.total, progress.unit) == (3, "rows")
    analysis.allowed.release()
    assert poll_until(jobs, "a", Steps(9), "done").done == 3
    # It is still there: nothing is computed twice.
    assert jobs.poll("a", lambda: Steps(9)).progress.done == 3


def test_a_stopped_job_keeps_its_part_and_begins_again_when_it_is_asked_for() -> None:
    jobs, analysis = AnalysisJobs(), Steps(3)
    key = jobs.poll("a", lambda: analysis).progress.key
    assert jobs.stop(key)
    analysis.allowed.release(1)
    assert poll_until(jobs, "a", analysis, "stopped").done == 1
    assert not jobs.stop(key)
    assert jobs.poll("a", lambda: Steps(7)).progress.total == 7


@pytest.mark.parametrize(
    ("error", "sentence", "trace"),
    [
        (PredictError("the model died", "Traceback: boom"), "the model died", "boom"),
        (KeyError("age"), "The analysis failed: 'age'", "KeyError"),
    ],
)
def test_a_failed_job_has_the_error_and_its_traceback(error: Exception, sentence: str, trace: str) -> None:
    jobs, analysis = AnalysisJobs(), Steps(3, error)
    analysis.allowed.release()
    progress = poll_until(jobs, "a", analysis, "failed")
    assert progress.error == sentence
    assert trace in progress.traceback


def test_a_job_that_nobody_asks_for_is_stopped() -> None:
    now = 0.0
    jobs, analysis = AnalysisJobs(clock=lambda: now), Steps(1000)
    jobs.poll("a", lambda: analysis)
    now = 100.0
    analysis.allowed.release(1000)
    assert analysis.ended.wait(30)
    assert analysis.done == 1


def test_only_a_few_jobs_run_at_a_time_and_old_ones_are_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs_module, "WAIT_SECS", 0.0)
    now = 0.0
    jobs = AnalysisJobs(clock=lambda: now)
    made = [Steps(2) for _ in range(jobs_module.MAX_JOBS + 1)]
    for index, analysis in enumerate(made):
        now += 0.001
        jobs.poll(str(index), lambda analysis=analysis: analysis)  # type: ignore[misc]
    assert not jobs.stop("0")
    for analysis in made:
        analysis.allowed.release(2)
    for analysis in made:
        assert analysis.ended.wait(30)
    # The oldest was dropped while it ran: it stopped after one step.
    assert [analysis.done for analysis in made[:2]] == [1, 2]


def test_two_requests_at_once_begin_one_job() -> None:
    jobs, analysis = AnalysisJobs(), Steps(1)
    begun = []
    both = threading.Barrier(2, timeout=30)

    def make() -> Steps:
        both.wait()
        begun.append(1)
        return analysis if len(begun) == 1 else Steps(9)

    threads = [threading.Thread(target=jobs.poll, args=("a", make)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    analysis.allowed.release(2)
    assert len(begun) == 2
    assert jobs.stop("a") or jobs.poll("a", lambda: Steps(5)).progress.total in (1, 9)
