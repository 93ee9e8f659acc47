"""After kill -9 at any moment the index opens again and equals a rebuilt one."""

from __future__ import annotations

import os
import random
import shutil
from pathlib import Path

from seamark import _core

from . import logs
from .conftest import StoreForker

KILLS = 40 if os.environ.get("SEAMARK_LONG_TESTS") else 10
MAX_CHANGES = 25
LONGEST_PAUSE_SECS = 0.01


class GrowingLogs:
    """A log directory with random changes, determined by a seed."""

    def __init__(self, logdir: Path, seed: int) -> None:
        self._logdir = logdir
        self._chance = random.Random(seed)
        self._next_step: dict[str, int] = {}
        for _ in range(4):
            self._begin_run()

    def change(self) -> None:
        """Makes one change, mostly new points."""
        roll = self._chance.random()
        run = self._chance.choice(sorted(self._next_step))
        if roll < 0.90:
            self._append(run)
        elif roll < 0.94 or len(self._next_step) < 4:
            self._begin_run()
        elif roll < 0.96:
            self._cut(run)
        elif roll < 0.98:
            self._replace(run)
        else:
            shutil.rmtree(self._logdir / run)
            del self._next_step[run]

    def _begin_run(self) -> None:
        run = f"run-{self._chance.randrange(10**9):09d}"
        logs.write(self._logdir, run, logs.small_log(3).data)
        self._next_step[run] = 3

    def _append(self, run: str) -> None:
        """Appends points; the data may end inside a record, which the next call completes."""
        count = self._chance.choice([1, 10, 100])
        data = logs.points("loss", self._next_step[run], count) + logs.text_record("step", count % 100)
        self._next_step[run] += count
        middle = self._chance.randrange(len(data))
        for piece in (data[:middle], data[middle:]):
            with self._path(run).open("ab") as file:
                file.write(piece)

    def _cut(self, run: str) -> None:
        """Truncates a file that is never written to again."""
        with self._path(run).open("r+b") as file:
            file.truncate(self._chance.randrange(self._path(run).stat().st_size))
        del self._next_step[run]

    def _replace(self, run: str) -> None:
        """Replaces a file by rename, as rsync does."""
        head = _core.encode_file_version(logs.START_SECS + self._chance.random())
        data = head + logs.points("loss", 0, self._chance.randrange(1, 500))
        logs.write(self._logdir, run, data, file_name="incoming").replace(self._path(run))
        self._next_step[run] = 500

    def _path(self, run: str) -> Path:
        return self._logdir / run / logs.FILE_NAME


def test_a_killed_indexer_leaves_an_index_that_equals_a_rebuilt_one(tmp_path: Path, store_forker: StoreForker) -> None:
    logdir, index_dir = tmp_path / "logs", tmp_path / "index"
    moments = random.Random(7)
    growing = GrowingLogs(logdir, seed=11)
    for kill in range(KILLS):
        if kill % 10 == 9:
            shutil.rmtree(index_dir)  # the next one is caught while it builds the index from nothing
        child = store_forker.child(logdir, index_dir, follow=True)
        for _ in range(moments.randrange(MAX_CHANGES)):
            growing.change()
            assert child.survives(moments.uniform(0, LONGEST_PAUSE_SECS)), f"before kill {kill}"
        child.kill()
        # Every other time the broken index is looked at in a copy, so that the next child meets it unrepaired.
        looked_at = index_dir
        if kill % 2 and index_dir.exists():
            looked_at = tmp_path / f"copy-{kill}"
            shutil.copytree(index_dir, looked_at)
        assert logs.reopened(logdir, looked_at) == logs.rebuilt(logdir), f"after kill {kill}"
