"""Steps that go back, written by real writers in real processes: TensorBoard's routes answer as TensorBoard does, and
our own pages leave out only the points that a restart replaced."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from seamark.format.types import RunName, Tag
from seamark.store import LogRoot, Store
from tests.compat.peer import DEADLINE_SECS, Pair, both_on

pytest.importorskip("torch.utils.tensorboard", reason="torch is a test dependency")

from torch.utils.tensorboard import SummaryWriter

pytestmark = pytest.mark.timed

LOSS = Tag("loss")
FORK = multiprocessing.get_context("fork")


@dataclass(frozen=True)
class Log:
    """What one process logs."""

    folder: Path
    steps: Sequence[int]
    value: float
    purge_step: int | None = None

    def write(self, wait_for_others: Callable[[], object]) -> None:
        with SummaryWriter(str(self.folder), purge_step=self.purge_step) as writer:
            for at, step in enumerate(self.steps):
                if at == 1:
                    wait_for_others()  # so that none has ended before another one has begun
                writer.add_scalar(LOSS, self.value, step)
                if step % 40 == 0:  # TensorBoard's plugin sends 51 at most
                    writer.add_histogram("weights", np.array([self.value, step]), step)


def log(*logs: Log) -> None:
    """Each in a process of its own, all at the same time."""
    barrier = FORK.Barrier(len(logs))
    processes = [FORK.Process(target=one.write, args=(lambda: barrier.wait(DEADLINE_SECS),)) for one in logs]
    for process in processes:
        process.start()
    for process in processes:
        process.join(DEADLINE_SECS)
        assert process.exitcode == 0


def loader_workers(folder: Path) -> None:
    """Two epochs of four workers, each with a writer of its own on the folder of the main process."""
    with SummaryWriter(str(folder)) as main:
        for epoch in range(2):
            main.add_scalar("epoch", epoch, epoch)
            main.flush()
            log(*[Log(folder, range(16), worker) for worker in range(4)])
        main.add_scalar("epoch", 2, 2)


@pytest.fixture(scope="module")
def logdir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    logdir = tmp_path_factory.mktemp("attempts")
    log(Log(logdir / "restarted", range(100), 1))
    log(Log(logdir / "restarted", range(60, 160), 2))
    log(Log(logdir / "aborted", range(101), 1))
    log(Log(logdir / "aborted", range(5), 2))
    log(Log(logdir / "backdated", [*range(30), 3, 30], 1))
    log(*[Log(logdir / "together", range(200), value) for value in range(4)])
    loader_workers(logdir / "workers")
    log(Log(logdir / "purged", range(60), 1))
    log(Log(logdir / "purged", range(50, 110), 2, purge_step=50))
    log(Log(logdir / "purged", range(20, 80), 3, purge_step=20))
    return logdir


RUNS = ("restarted", "aborted", "backdated", "together", "workers", "purged")


@pytest.fixture(scope="module")
def pair(logdir: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    expected = {(run, str(LOSS)) for run in RUNS} | {("workers", "epoch")}
    with both_on(logdir, expected, tmp_path_factory.mktemp("scratch")) as pair:
        yield pair


@pytest.mark.parametrize("run", RUNS)
def test_tensorboards_routes_answer_alike(pair: Pair, run: str) -> None:
    points = pair.same("plugin/scalars/scalars", run=run, tag=LOSS)
    want = {"restarted": 200, "aborted": 106, "backdated": 32, "together": 800, "workers": 128, "purged": 80}
    assert len(points) == want[run]
    pair.same("plugin/histograms/histograms", run=run, tag="weights")


@pytest.fixture(scope="module")
def store(logdir: Path) -> Iterator[Store]:
    with Store([LogRoot("", logdir)], index_dir=None, follow=False) as store:
        assert store.wait_loaded(DEADLINE_SECS)
        yield store


@pytest.mark.parametrize(("run", "count"), [("aborted", 106), ("backdated", 32), ("together", 800), ("workers", 128)])
def test_no_point_is_hidden_where_nothing_was_restarted(store: Store, run: str, count: int) -> None:
    window = store.scalars(RunName(run), LOSS)
    assert window.total.tolist() == window.stored.tolist() == [count]
    assert (window.step[1:] >= window.step[:-1]).all()
    (info,) = [info for info in store.series(run=RunName(run), kind="scalars") if info.tag == LOSS]
    assert info.attempts == 1
    assert len(store.payloads(RunName(run), Tag("weights"), "histograms")) == len(
        store.payloads(RunName(run), Tag("weights"), "histograms", attempts="all")
    )


def test_a_restart_replaces_what_it_did_again(store: Store) -> None:
    window = store.scalars(RunName("restarted"), LOSS)
    assert window.step.tolist() == [*range(160)]
    assert window.last.tolist() == [1.0] * 60 + [2.0] * 100
    assert window.stored.tolist() == [200]
    listed = store.payloads(RunName("restarted"), Tag("weights"), "histograms")
    assert listed.steps.tolist() == [0, 40, 80, 120]
    assert listed.attempt.tolist() == [0, 0, 1, 1]
    found = store.digests([LOSS], [RunName("restarted")], tail=10)[LOSS]
    assert (found.min[0], found.last[0], found.last_step[0]) == (1, 2, 159)


def test_purge_step_replaces_what_was_logged_before_it(store: Store) -> None:
    window = store.scalars(RunName("purged"), LOSS)
    assert window.step.tolist() == [*range(80)]
    assert window.last.tolist() == [1.0] * 20 + [3.0] * 60
    marked = store.scalars(RunName("purged"), LOSS, attempts="marked")
    assert marked.attempt is not None and marked.replaced is not None
    assert [int((marked.replaced & (marked.attempt == attempt)).sum()) for attempt in range(3)] == [40, 60, 0]
