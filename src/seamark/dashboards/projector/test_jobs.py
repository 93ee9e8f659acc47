"""Layouts in the background: they run while somebody asks for them, pause, restart, and end with the process."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from seamark.dashboards.projector import jobs as jobs_module
from seamark.dashboards.projector.jobs import LayoutInput, LayoutJobs, LayoutSnapshot
from seamark.embeddings.form import EmbeddingError
from seamark.embeddings.methods.layouts.layout import LayoutSettings

pytestmark = pytest.mark.timed

FOREVER = 1_000_000_000  # epochs: no test waits for the last one


@pytest.fixture
def jobs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LayoutJobs]:
    monkeypatch.setattr(jobs_module, "LAST_STEP_SECS", 60.0)  # pausing and closing wait for the last step
    running = LayoutJobs(tmp_path / "layouts")
    yield running
    running.close()


class Source:
    """Counts how often its rows are taken."""

    def __init__(self, epochs: int = 20) -> None:
        self.taken = 0
        self._settings = LayoutSettings("umap", epochs=epochs)

    def __call__(self) -> LayoutInput:
        self.taken += 1
        return np.random.default_rng(0).normal(size=(50, 4)).astype(np.float32), self._settings, None, None


def wait_until_done(jobs: LayoutJobs, key: str) -> LayoutSnapshot:
    after = -1
    while True:
        snapshot = wait(jobs, key, after)
        if snapshot.state != "running":
            return snapshot
        after = snapshot.epoch


def wait(jobs: LayoutJobs, key: str, after: int) -> LayoutSnapshot:
    snapshot = jobs.wait(key, after, 60)
    assert snapshot is not None
    return snapshot


def test_a_layout_runs_to_its_end(jobs: LayoutJobs) -> None:
    first = jobs.projected("a", Source())
    assert first.positions is not None and first.positions.shape == (50, 2)
    assert first.state in ("running", "done")

    done = wait_until_done(jobs, "a")

    assert (done.state, done.epoch, done.epochs, done.secs_left, done.error) == ("done", 20, 20, None, "")
    assert done.positions is not None
    # Before the first request was answered, the layout may have ended already.
    assert first.epoch == 20 or not np.array_equal(done.positions, first.positions)


def test_waiting_returns_a_later_epoch_and_the_time_that_is_left(jobs: LayoutJobs) -> None:
    epoch = jobs.projected("a", Source(FOREVER)).epoch
    for _ in range(4):
        snapshot = wait(jobs, "a", epoch)
        assert snapshot.epoch > epoch
        epoch = snapshot.epoch

    assert snapshot.secs_left is not None and snapshot.secs_left > 0


def test_a_finished_layout_is_read_from_its_file(jobs: LayoutJobs, tmp_path: Path) -> None:
    jobs.projected("a", Source())
    done = wait_until_done(jobs, "a")
    jobs.close()  # after the file is written
    source = Source()

    again = LayoutJobs(tmp_path / "layouts").projected("a", source)

    assert again.state == "done" and source.taken == 0
    assert again.positions is not None and np.array_equal(again.positions, done.positions)


def test_a_damaged_file_is_replaced(jobs: LayoutJobs, tmp_path: Path) -> None:
    jobs.projected("a", Source())
    wait_until_done(jobs, "a")
    jobs.close()
    (file,) = (tmp_path / "layouts").iterdir()
    file.write_bytes(file.read_bytes()[:50])
    later, source = LayoutJobs(tmp_path / "layouts"), Source()

    later.projected("a", source)

    assert wait_until_done(later, "a").epoch == 20 and source.taken == 1
    later.close()


def test_a_paused_layout_stands_still_until_it_is_resumed(jobs: LayoutJobs) -> None:
    jobs.projected("a", Source(FOREVER))
    wait(jobs, "a", 0)
    paused = jobs.pause("a")
    jobs.projected("b", Source())
    wait_until_done(jobs, "b")
    later = jobs.snapshot("a")

    assert paused is not None and later is not None
    assert paused.state == later.state == "paused" and paused.secs_left is None
    assert paused.epoch == later.epoch
    jobs.resume("a")
    resumed = wait(jobs, "a", later.epoch)
    assert resumed.state == "running" and resumed.epoch > later.epoch


def test_a_restart_begins_again(jobs: LayoutJobs) -> None:
    source = Source()
    jobs.projected("a", source)
    once = wait_until_done(jobs, "a")
    restarted = jobs.restart("a")
    assert restarted is not None and restarted.state == "running"
    assert restarted.positions is not None  # the old picture until there is a new one

    again = wait_until_done(jobs, "a")

    assert source.taken == 2 and again.epoch == 20
    assert again.positions is not None and np.array_equal(again.positions, once.positions)


def test_more_layouts_than_threads_all_advance(jobs: LayoutJobs) -> None:
    for key in "abcd":
        jobs.projected(key, Source(FOREVER))
    for key in "abcd":
        assert wait(jobs, key, 1).epoch > 1


class LeapingClock:
    """Ten minutes pass between any two readings, until it stands still."""

    def __init__(self) -> None:
        self.now, self.leap_secs = 0.0, 600.0

    def __call__(self) -> float:
        self.now += self.leap_secs
        return self.now


def test_a_layout_that_nobody_asks_for_waits() -> None:
    clock = LeapingClock()
    jobs = LayoutJobs(None, clock=clock)
    jobs.projected("a", Source())
    snapshot = jobs.wait("a", 0, 0.3)
    assert snapshot is not None and (snapshot.epoch, snapshot.state) == (0, "running")
    clock.leap_secs = 0

    assert wait_until_done(jobs, "a").state == "done"
    jobs.close()


def test_an_error_is_a_sentence_and_resuming_tries_again(jobs: LayoutJobs) -> None:
    source, is_broken = Source(), True

    def make() -> LayoutInput:
        if is_broken:
            raise EmbeddingError("There are no rows to place.")
        return source()

    failed = jobs.projected("a", make)
    assert (failed.state, failed.error, failed.positions) == ("failed", "There are no rows to place.", None)
    is_broken = False
    jobs.resume("a")

    assert wait_until_done(jobs, "a").state == "done"


def test_a_layout_that_fails_later_keeps_its_picture(jobs: LayoutJobs) -> None:
    def make() -> LayoutInput:
        matrix, _, labels, start = Source()()
        return matrix, LayoutSettings("umap", learning_rate=1e38), labels, start

    jobs.projected("a", make)
    failed = wait_until_done(jobs, "a")

    assert failed.state == "failed" and "smaller learning rate" in failed.error
    assert failed.positions is not None


def test_unknown_and_forgotten_keys_have_no_snapshot(jobs: LayoutJobs, monkeypatch: pytest.MonkeyPatch) -> None:
    assert jobs.snapshot("a") is jobs.pause("a") is jobs.resume("a") is jobs.restart("a") is None
    monkeypatch.setattr(jobs_module, "MAX_JOBS", 2)
    for key in "abc":
        jobs.projected(key, Source())
        wait_until_done(jobs, key)

    assert jobs.snapshot("a") is None
    assert jobs.snapshot("b") is not None
    assert jobs.projected("a", Source()).state in ("running", "done")


def test_many_threads_ask_for_one_layout(jobs: LayoutJobs) -> None:
    source = Source()
    threads = [threading.Thread(target=jobs.projected, args=("a", source)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    wait_until_done(jobs, "a")

    assert source.taken == 1


@pytest.mark.parametrize("method", ["tsne", "umap"])
def test_running_layouts_do_not_keep_the_process_from_ending(method: str) -> None:
    program = f"""
import numpy as np
from seamark.dashboards.projector.jobs import LayoutJobs
from seamark.embeddings.methods.layouts.layout import LayoutSettings
jobs = LayoutJobs(None)
matrix = np.random.default_rng(0).normal(size=(2000, 4)).astype(np.float32)
for key in "abc":
    jobs.projected(key, lambda: (matrix, LayoutSettings("{method}", epochs=1_000_000_000), None, None))
print(jobs.wait("a", 1, 60).epoch > 1)
"""
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False)

    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "True\n", "")


def test_many_layouts_share_a_few_threads(jobs: LayoutJobs) -> None:
    """Those that were begun again, or that newer ones have pushed out, are not made."""
    may_go_on, source = threading.Event(), Source()
    preparing = threading.Semaphore(0)

    def held() -> LayoutInput:
        preparing.release()
        may_go_on.wait(60)
        return source()

    threads = [threading.Thread(target=jobs.projected, args=(str(at), held), daemon=True) for at in range(60)]
    for thread in threads:
        thread.start()
    for _ in range(jobs_module.MAX_PREPARING):
        assert preparing.acquire(timeout=60)
    # Dropped layouts answer at once, without a picture.
    for thread in threads:
        thread.join(0.01)
    names = [thread.name for thread in threading.enumerate()]
    assert names.count("seamark-layout-first") == jobs_module.MAX_PREPARING
    may_go_on.set()
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads)
    assert source.taken <= jobs_module.MAX_PREPARING + jobs_module.MAX_JOBS
