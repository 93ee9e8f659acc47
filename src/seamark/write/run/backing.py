"""What stands behind a run that is written: its folder, writer, run.json, console, system metrics and thread."""

from __future__ import annotations

import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from seamark.format.run_record import CRASHED, KILLED
from seamark.write.run import console, git, hparams, machine, redact, system
from seamark.write.run.config import Config
from seamark.write.run.descriptors import DescriptorTee
from seamark.write.run.keeper import Keeper
from seamark.write.run.plain import plain
from seamark.write.run.record import LostRunError, RunFile
from seamark.write.warn_once import WarnOnce

if TYPE_CHECKING:
    from seamark.write.run.run import Run
    from seamark.write.summary_writer import SummaryWriter

HEARTBEAT_SECS = 10.0
# A change reaches the disk after that long; many changes in a row are one write.
WRITE_SECS = 1.0
# At the end: for the thread to finish what it began, git's time limits included.
STOP_SECS = 20.0


class Backing:
    """Only `log`-like calls come from the program's threads; everything that touches the disk is the keeper's."""

    def __init__(self, file: RunFile, writer: SummaryWriter, warnings: WarnOnce) -> None:
        self.file, self.writer, self._warnings = file, writer, warnings
        self.folder = file.folder
        self._run: Run | None = None
        self._is_dirty = threading.Event()
        self._keeper = Keeper(self._gather)
        self._console: console.ConsoleLog | None = None
        self._tees: list[console.Tee | DescriptorTee] = []
        self._system: system.SystemMetrics | None = None
        self._git_choice, self._wants_system = "on", True
        self._logged_config: dict[str, object] | None = None
        self._diff = ""

    def start(self, run: Run, *, capture: bool | str, system_secs: float, git_choice: str) -> None:
        self._run, self._git_choice = run, git_choice
        if capture:
            self._capture(below_python=capture == "fd")
        self._keeper.add(WRITE_SECS, self._write_if_changed)
        self._keeper.add(HEARTBEAT_SECS, self._is_dirty.set)
        self._wants_system = system_secs > 0
        if self._wants_system:
            self._keeper.add(system_secs, self._sample)
        self._keeper.start()

    def touch(self) -> None:
        self._is_dirty.set()

    def first_log(self) -> None:
        """The configuration goes into the event file with the first logged step: until then it is being filled."""
        if self._logged_config is None and self._run is not None:
            self._logged_config = {}
            with self._warnings.guarded("hparams", "the configuration cannot be logged as hyperparameters"):
                self._log_config(self._run)

    # The thread's duties

    def _gather(self) -> None:
        """What takes a while: git's answers, the list of packages, the GPUs."""
        record = self.file.record
        if self._wants_system:
            with self._warnings.guarded("system", "there are no system metrics"):
                self._system = system.SystemMetrics(self.folder)
                if not self._system.is_complete:
                    self._warnings.warn("psutil", system.WITHOUT_PSUTIL)
        with self._warnings.guarded("gather", "not everything about the machine is known"):
            with_diff = self._git_choice == "on"
            found = None if self._git_choice == "off" else git.capture(Path.cwd(), with_diff=with_diff)
            packages, gpus = machine.packages(), machine.gpus()
            with self.file.lock:
                record.packages, record.gpus = packages, gpus
                record.git, self._diff = found or (None, "")
                if record.git is not None and record.sessions:
                    record.sessions[-1].git_commit = record.git.commit
            if self._diff:
                (self.folder / git.DIFF_FILE).write_text(self._diff, encoding="utf-8", errors="replace")
        self.touch()

    def _sample(self) -> None:
        if self._system is None:
            return
        now = time.time()
        with self._warnings.guarded("system", "system metrics cannot be logged"):
            # Seconds since the run began: system metrics have no other step, and a resumed run goes on counting.
            step = max(0, int(now - self.file.record.started_at))
            for name, value in self._system.sample().items():
                self.writer.add_scalar(f"{system.PREFIX}{name}", value, step, walltime=now)

    def _write_if_changed(self) -> None:
        if self._console is not None:
            with self._warnings.guarded("console", "the console cannot be written"):
                self._console.write()
        if self._is_dirty.is_set():
            self._is_dirty.clear()
            self.write()

    def update_record(self, run: Run) -> None:
        """Copies what the program may have changed into the record."""
        record = self.file.record
        with self.file.lock:
            record.config = public(run.config)
            record.summary = redact.mapping(plain(run.summary.as_dict()))
            record.summary_counts = dict(run.summary.counts)

    def write(self, *, durable: bool = False) -> None:
        """run.json as of now. What the disk does not take is tried again with the next heartbeat."""
        try:
            if self._run is not None:
                self.update_record(self._run)
            self.file.record.heartbeat_at = time.time()
            self.file.write(durable=durable)
        except LostRunError as error:
            self._warnings.warn("lost", f"run.json is not written any more: {error}")
        except Exception as error:
            self._warnings.warn("run.json", f"run.json cannot be written and is tried again ({error})")

    # The end

    def write_last(self, run: Run) -> None:
        """From a signal handler: the little that must be on disk when the process is gone."""
        with suppress(Exception):
            self._log_end(run)
        self._close_console()
        self.write(durable=True)

    def close(self, run: Run) -> None:
        if not sys.is_finalizing():
            self._keeper.wait_until_gathered(STOP_SECS)
        self._keeper.stop(timeout_secs=STOP_SECS)
        for tee in self._tees:
            with suppress(Exception):
                tee.remove()
        self._close_console()
        self._sample()  # so that a short run has one sample at least
        if self._system is not None:
            self._system.close()
        with self._warnings.guarded("hparams", "the configuration cannot be logged as hyperparameters"):
            self._log_config(run)
            self._log_end(run)
        with self._warnings.guarded("close", "the events cannot all be written"):
            self.writer.close()
        self.write(durable=True)

    def after_fork_in_child(self) -> None:
        """Everything is the parent's. The child's streams write on as before, unheard."""
        self.file.lock = threading.RLock()
        if self._console is not None:
            self._console.forget()
        for tee in self._tees:
            if isinstance(tee, console.Tee):
                tee.remove()

    def _close_console(self) -> None:
        if self._console is not None:
            with self._warnings.guarded("console", "the console cannot be written"):
                self._console.close()

    def _log_config(self, run: Run) -> None:
        values = public(run.config)
        if values and values != self._logged_config:
            self._logged_config = values
            hparams.log_start(self.writer, self.file.record, values)

    def _log_end(self, run: Run) -> None:
        if self._logged_config:
            hparams.log_end(self.writer, failed=run.status in (CRASHED, KILLED))

    def _capture(self, *, below_python: bool) -> None:
        log = self._console = console.ConsoleLog(self.folder / console.FILE_NAME)
        self.file.record.console_file = console.FILE_NAME
        with self._warnings.guarded("capture", "the console is not captured"):
            for descriptor, name in ((1, "stdout"), (2, "stderr")):
                if below_python:
                    self._tees.append(DescriptorTee(descriptor, name, log))
                elif getattr(sys, name) is not None:
                    self._tees.append(console.Tee(getattr(sys, name), name, log))


def public(config: Config) -> dict[str, object]:
    """The configuration as others may see it."""
    return redact.mapping(plain(config.as_dict()))
