"""RunRecorder: writes a run's folder. Holds its writer, run.json, console capture, system metrics and thread."""

from __future__ import annotations

import logging
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

from seamark.format.plain import plain
from seamark.format.run_record import CRASHED, KILLED
from seamark.format.types import SYSTEM_PREFIX
from seamark.write.queue.warn_once import WarnOnce
from seamark.write.run.code import git
from seamark.write.run.config import hparams
from seamark.write.run.config.config import Config
from seamark.write.run.config.metrics import Summary
from seamark.write.run.console import console_log
from seamark.write.run.console.descriptor_tee import DescriptorTee
from seamark.write.run.periodic_tasks import PeriodicTasks
from seamark.write.run.record.run_file import LostRunError, RunFile
from seamark.write.run.secrets import redact
from seamark.write.run.system import machine, system_metrics

if TYPE_CHECKING:
    from seamark.upload.bucket_upload import BucketUpload
    from seamark.write.run.uploading import RunUpload
    from seamark.write.writer.summary_writer import SummaryWriter

HEARTBEAT_SECS = 10.0
# The delay before a change reaches the disk, so that many changes in a row are one write.
WRITE_SECS = 1.0
# How long the end of a run waits for its thread, including git's time limits.
STOP_SECS = 20.0
# Longer than the imports of the run's thread take; a slow disk must not hold up the program.
FORK_SECS = 5.0
# Of what all runs of a process have in common.
PROCESS_WARNINGS = WarnOnce(logging.getLogger(__name__), sys.prefix)


class RunRecorder:
    """The program's threads only log; the run's own thread does everything that touches the disk."""

    def __init__(self, file: RunFile, writer: SummaryWriter, warn_once: WarnOnce) -> None:
        self.file, self.writer, self._warn_once = file, writer, warn_once
        self.folder = file.folder
        self.upload: RunUpload | BucketUpload | None = None
        self.announces_end = False  # on stderr
        self._config: Config | None = None
        self._summary: Summary | None = None
        self._is_dirty = threading.Event()
        self._tasks = PeriodicTasks(self._collect)
        self._console: console_log.ConsoleLog | None = None
        self._tees: list[console_log.Tee | DescriptorTee] = []
        self._system: system_metrics.SystemMetrics | None = None
        self._git_choice, self._wants_system = "on", True
        self._logged_config: dict[str, object] | None = None
        self._diff = ""

    def attach(self, config: Config, summary: Summary) -> None:
        """Sets the objects of the run that are copied into run.json."""
        self._config, self._summary = config, summary

    def start(self, *, capture: bool | str, system_secs: float, git_choice: str) -> None:
        self._git_choice = git_choice
        if capture:
            self._capture_console(below_python=capture == "fd")
        self._tasks.add(WRITE_SECS, self._write_if_changed)
        self._tasks.add(HEARTBEAT_SECS, self._is_dirty.set)
        self._wants_system = system_secs > 0
        if self._wants_system:
            self._tasks.add(system_secs, self._sample)
        self._tasks.start()

    @property
    def logdir(self) -> Path | str:
        """Where people look for the run: a folder, or an address in a bucket."""
        return (self.upload.logdir if self.upload is not None else "") or self.folder.parent

    @property
    def page(self) -> str:
        """Of the team server that the run is sent to; "" if there is none."""
        return self.upload.page if self.upload is not None else ""

    def touch(self) -> None:
        """Has run.json written soon."""
        self._is_dirty.set()

    def first_log(self) -> None:
        """Logs the configuration together with the first step: the program may fill it until then."""
        if self._logged_config is None:
            self._logged_config = {}
            with self._warn_once.guard("hparams", "the configuration cannot be logged as hyperparameters"):
                self._log_config()

    # Called by the run's thread

    def _collect(self) -> None:
        """Collects the slow facts: git's state, the installed packages, the GPUs."""
        record = self.file.record
        if self._wants_system:
            with self._warn_once.guard("system", "system metrics are not available"):
                self._system = system_metrics.SystemMetrics(self.folder)
                if not self._system.is_complete:
                    PROCESS_WARNINGS.warn("psutil", system_metrics.WITHOUT_PSUTIL)
        with self._warn_once.guard("machine", "some facts about the machine are not recorded"):
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
        # Written here, not on the first tick: the modules it imports are then loaded before the process exits. An
        # import after Ctrl-C would make the interpreter exit with 1 instead of SIGINT.
        self.write()

    def _sample(self) -> None:
        if self._system is None:
            return
        now = time.time()
        with self._warn_once.guard("system", "system metrics cannot be logged"):
            # The step is the number of seconds since the run started; a resumed run goes on counting.
            step = max(0, int(now - self.file.record.started_at))
            for name, value in self._system.sample().items():
                self.writer.add_scalar(f"{SYSTEM_PREFIX}{name}", value, step, walltime=now)

    def _write_if_changed(self) -> None:
        if self._console is not None:
            with self._warn_once.guard("console", "the console output cannot be written"):
                self._console.write()
        if self._is_dirty.is_set():
            self._is_dirty.clear()
            self.write()

    def update_record(self) -> None:
        """Copies the configuration and the summary into the record."""
        record = self.file.record
        with self.file.lock:
            if self._config is not None:
                record.config = public_config(self._config)
            if self._summary is not None:
                record.summary = redact.mapping(plain(self._summary.as_dict()))
                record.summary_counts = dict(self._summary.counts)

    def write(self, *, durable: bool = False) -> None:
        """Writes run.json. After a failed write the next heartbeat tries again."""
        try:
            self.update_record()
            self.file.record.heartbeat_at = time.time()
            self.file.write(durable=durable)
        except LostRunError as error:
            self._warn_once.warn("lost", f"run.json is no longer written: {error}")
        except Exception as error:
            self._warn_once.warn("run.json", f"run.json cannot be written and is tried again ({error})")

    # The end

    def write_last(self) -> None:
        """Called by a signal handler: writes the minimum before the process ends."""
        with self._warn_once.guard("hparams", "the end cannot be logged as hyperparameters"):
            self._log_end()
        self._close_console()
        self.write(durable=True)

    def close(self) -> None:
        """Stops everything and writes the end. A step that fails does not keep the others from running."""
        if not sys.is_finalizing():
            self._tasks.wait_until_collected(STOP_SECS)
        self._tasks.stop(timeout_secs=STOP_SECS)
        for tee in self._tees:
            with self._warn_once.guard("capture", "the console capture cannot be removed"):
                tee.remove()
        self._close_console()
        self._sample()  # so that a short run has at least one sample
        if self._system is not None:
            with self._warn_once.guard("system", "the system metrics cannot be closed"):
                self._system.close()
        with self._warn_once.guard("hparams", "the configuration cannot be logged as hyperparameters"):
            self._log_config()
            self._log_end()
        with self._warn_once.guard("close", "some events cannot be written"):
            self.writer.close()
        self.write(durable=True)

    def before_fork(self) -> None:
        """Waits for the imports of the run's thread: the child could never import a module that it is importing."""
        self._tasks.wait_until_collected(FORK_SECS)

    def after_fork_in_child(self) -> None:
        """The parent goes on recording; the child's streams are no longer captured."""
        self.file.lock = threading.RLock()
        if self._console is not None:
            self._console.clear_after_fork()
        for tee in self._tees:
            if isinstance(tee, console_log.Tee):
                tee.remove()

    def _close_console(self) -> None:
        if self._console is not None:
            with self._warn_once.guard("console", "the console output cannot be written"):
                self._console.close()

    def _log_config(self) -> None:
        values = {} if self._config is None else public_config(self._config)
        if values and values != self._logged_config:
            self._logged_config = values
            hparams.log_start(self.writer, self.file.record, values)

    def _log_end(self) -> None:
        if self._logged_config:
            hparams.log_end(self.writer, failed=self.file.record.status in (CRASHED, KILLED))

    def _capture_console(self, *, below_python: bool) -> None:
        log = self._console = console_log.ConsoleLog(self.folder / console_log.FILE_NAME)
        self.file.record.console_file = console_log.FILE_NAME
        with self._warn_once.guard("capture", "the console is not captured"):
            for descriptor, name in ((1, "stdout"), (2, "stderr")):
                if below_python:
                    self._tees.append(DescriptorTee(descriptor, name, log))
                elif getattr(sys, name) is not None:
                    self._tees.append(console_log.Tee(getattr(sys, name), name, log))


def public_config(config: Config) -> dict[str, object]:
    """The configuration as plain values, without secrets."""
    return redact.mapping(plain(config.as_dict()))
