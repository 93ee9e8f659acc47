"""A run: what the program holds in its hand between init() and finish()."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from seamark.format.run_record import CRASHED, FINISHED, KILLED, RUNNING, Alert, Failure, RunRecord
from seamark.write.run import dispatch, failures, redact
from seamark.write.run.config import Config
from seamark.write.run.identity import Identity
from seamark.write.run.metrics import Metrics, Summary
from seamark.write.run.run_files import RunFiles
from seamark.write.warn_once import WarnOnce

if TYPE_CHECKING:
    from seamark.write.run.backing import Backing
    from seamark.write.run.mirror import Mirror
    from seamark.write.summary_writer import SummaryWriter

LEVELS = ("info", "warn", "error")
MAX_ALERTS = 1000


class Run(Identity, RunFiles):
    """Made by seamark.init(). Any thread may call it; in a forked child it does nothing, the run is the parent's."""

    def __init__(self, record: RunRecord, backing: Backing | None, *, config: Any = None, first_step: int = 0) -> None:
        self._record, self._backing = record, backing
        self.pid = os.getpid()
        self.resumed = len(record.sessions) > 1
        self._lock = threading.RLock()
        self._warnings = WarnOnce(str(backing.folder) if backing else record.name)
        self._step = first_step
        self._metrics = Metrics(record.metrics)
        self._latest: dict[str, float] = {}
        self._mirror: Mirror | None = None
        self._saved_at_end = []
        self.config = Config(record.config, changed=self._config_changed)
        if config is not None:
            self.config.update(config)
        self.summary = Summary(self._metrics, self._touch, record.summary, record.summary_counts)
        self._ending = failures.Ending()
        self._has_failed_cell = False
        self._alerted_at: dict[str, float] = {}
        self._is_over = False

    # What it is, besides its identity

    @property
    def step(self) -> int:
        """The step that the next log() without one writes to."""
        return self._step

    @property
    def dir(self) -> Path:
        """The run's folder; a temporary one when the run is disabled."""
        return self._backing.folder if self._backing else failures.temporary_folder()

    @property
    def writer(self) -> SummaryWriter | None:
        """The writer behind the run, for everything that log() has no shape for; None when the run is disabled."""
        return self._backing.writer if self._backing and self.is_live else None

    @property
    def disabled(self) -> bool:
        return self._backing is None

    @property
    def is_live(self) -> bool:
        return not self._is_over

    # What it is told

    def log(self, data: Mapping[str, Any], step: int | None = None, commit: bool | None = None) -> None:
        """Logs values by name. Without a step each call is one step; `commit=False` stays on it for the next call."""
        if self._backing is None or not self._can_log():
            return
        try:
            with self._lock:
                at = self._step if step is None else int(step)
                self._log(self._backing.writer, data, at)
                if step is not None:
                    # An earlier step may be logged to, but the count does not go back.
                    self._step = max(self._step, at)
                if commit or (commit is None and step is None):
                    self._step = max(self._step, at + 1)
                self._record.last_step = at if self._record.last_step is None else max(self._record.last_step, at)
                if self._mirror is not None:
                    self._mirror.log(dict(dispatch.flattened(dict(data))), at)
        except Exception as error:
            self._warnings.warn("log", f"run.log failed ({type(error).__name__}: {error})")
        self._backing.first_log()

    def _log(self, writer: SummaryWriter, data: Mapping[str, Any], step: int) -> None:
        if not isinstance(data, Mapping):
            raise TypeError(f"want values by name like {{'loss': 0.5}}, got {type(data).__name__}")
        scalar, summary = writer.add_scalar, self.summary
        rest: list[tuple[str, Any]] = []
        for key, value in data.items():
            # Nearly everything that is logged, and often: numbers, each with the step of the call.
            if (type(value) is float or type(value) is int) and not self._metrics.step_metrics:
                tag = str(key)
                scalar(tag, value, step)
                summary.take(tag, value)
            elif value is not None:
                rest.append((str(key), value))
        if rest:
            self._log_rest(writer, list(dispatch.flattened(dict(rest))), step)

    def _log_rest(self, writer: SummaryWriter, items: list[tuple[str, Any]], step: int) -> None:
        numbers: dict[str, float] = {}
        for tag, value in items:
            with self._warnings.guarded(f"value {tag}", f"'{tag}' cannot be logged"):
                number = dispatch.number_of(value)
                if number is not None:
                    numbers[tag] = number
        # First the step metrics of this very call, so that their order in it does not matter.
        for tag in self._metrics.step_metrics & numbers.keys():
            self._latest[tag] = numbers[tag]
        for tag, value in items:
            with self._warnings.guarded(f"value {tag}", f"'{tag}' cannot be logged"):
                at = self._step_of(tag, step)
                if tag in numbers:
                    writer.add_scalar(tag, numbers[tag], at)
                    self.summary.take(tag, numbers[tag])
                else:
                    dispatch.write(writer, tag, value, at)
                    if isinstance(value, str):
                        self.summary.take(tag, value[:1000])

    def _step_of(self, tag: str, step: int) -> int:
        step_metric = self._metrics.of(tag).step_metric if self._metrics.step_metrics else ""
        if not step_metric or step_metric not in self._latest:
            return step
        latest = self._latest[step_metric]
        if latest != latest or not float(latest).is_integer():
            self._warnings.warn(
                f"step metric {step_metric}",
                f"steps are whole numbers, but '{step_metric}' is {latest}: '{tag}' is drawn over the run's own steps",
            )
            return step
        return int(latest)

    def define_metric(
        self,
        name: str,
        step_metric: str | None = None,
        summary: str | None = None,
        goal: str | None = None,
        hidden: bool = False,
    ) -> None:
        """Says over which other metric this one is drawn, and which of its values stands for the run."""
        with self._lock:
            self._metrics.define(
                name, step_metric=step_metric or "", summary=summary or "last", goal=goal or "", hidden=hidden
            )
            self._record.metrics = self._metrics.defined
        self._touch()

    def alert(self, title: str, text: str = "", level: str = "info", wait_duration: float | timedelta = 0.0) -> None:
        """Something that a person should know: in run.json, as text `alerts` and on stderr, not more often per title
        than `wait_duration` seconds."""
        word = str(getattr(level, "value", level)).lower()
        word = {"warning": "warn"}.get(word, word)
        if word not in LEVELS:
            raise ValueError(f"unknown level of an alert: got {level!r}, want {', '.join(LEVELS)}")
        if self._backing is None or not self._can_log():
            return
        title, text = redact.text(str(title)), redact.text(str(text))
        now = time.time()
        pause_secs = wait_duration.total_seconds() if isinstance(wait_duration, timedelta) else float(wait_duration)
        with self._lock:
            if now - self._alerted_at.get(title, -1e18) < pause_secs:
                return
            self._alerted_at[title] = now
            self._record.alerts = (
                *self._record.alerts,
                Alert(now, title, text, word, self._step),
            )[-MAX_ALERTS:]
        with self._warnings.guarded("alert", "an alert cannot be logged"):
            dispatch.write(self._backing.writer, "alerts", f"**{word}: {title}**\n\n{text}", self._step)
            print(f"seamark: {word}: {title}{': ' + text if text else ''}", file=sys.stderr)
        self._touch()

    def watch(self, model: Any, log: str = "gradients", log_freq: int = 100, **options: Any) -> Any:
        from seamark.write.run.watch import watch

        return watch(model, log=log, log_freq=log_freq, run=self, **options)

    def mirror_to(self, mirror: Mirror) -> None:
        """From here on the mirror is told, too."""
        self._mirror = mirror
        self._config_changed()

    def _config_changed(self) -> None:
        if self._mirror is not None:
            with self._warnings.guarded("mirror", "the mirror does not take the config"):
                self._mirror.config(self.config.as_dict())
        self._touch()

    def _touch(self) -> None:
        """run.json is to be written soon."""
        if self._backing is not None:
            self._backing.touch()

    def _can_log(self) -> bool:
        if os.getpid() != self.pid:
            self._warnings.warn("fork", "a forked process cannot log to its parent's run; what it logs is left out")
            return False
        if self._is_over:
            self._warnings.warn("over", "the run is finished; what is logged after that is left out")
            return False
        return True

    # How it ends

    def finish(self, exit_code: int = 0, quiet: bool | None = None) -> None:
        """Writes what is left and marks the run as finished, or with another exit code than 0 as crashed."""
        # A notebook's cell that failed earlier did not end the run; this call does, and says how.
        if exit_code or self._has_failed_cell:
            self.note_exit(exit_code, "")
        self.end()

    def end(self) -> None:
        """Ends as whatever was noted last says; twice is once."""
        with self._lock:
            if self._is_over or os.getpid() != self.pid:
                return
            self._is_over = True
        self._save_at_end()
        self._record_ending(ended=True)
        if self._backing is not None:
            self._backing.close(self)
        self._end_mirror()
        from seamark.write.run import current

        current.forget(self)

    def _end_mirror(self) -> None:
        if self._mirror is not None:
            with self._warnings.guarded("mirror", "the mirror does not end"):
                self._mirror.finish(self._record.status)

    def _record_ending(self, *, ended: bool) -> None:
        ending, record = self._ending, self._record
        record.status = ending.status if ended or ending.status != FINISHED else RUNNING
        record.exit_code, record.signal, record.error = ending.exit_code, ending.signal, ending.error
        if ended and record.exit_code is None and record.status == FINISHED:
            record.exit_code = 0
        record.ended_at = time.time() if ended else None
        if record.sessions:
            record.sessions[-1].status, record.sessions[-1].ended_at = record.status, record.ended_at

    def note_failure(self, error: BaseException, trace: TracebackType | None = None) -> None:
        if isinstance(error, SystemExit):
            self.note_exit(failures.exit_code(error.code), error.code if isinstance(error.code, str) else "")
        elif isinstance(error, KeyboardInterrupt):
            self._ending = failures.Ending(KILLED, signal="SIGINT")
        else:
            self._ending = failures.Ending(CRASHED, exit_code=1, error=failures.described(error, trace))

    def note_exit(self, code: int, message: str) -> None:
        error = Failure("SystemExit", message) if message else None
        self._ending = failures.Ending(CRASHED, exit_code=code, error=error) if code else failures.Ending()

    def note_thread_failure(self, thread: str, error: BaseException) -> None:
        described = failures.described(error, error.__traceback__)
        self.alert(f"thread {thread} ended with {described.type}", f"```\n{described.traceback}\n```", "error")

    def note_signal(self, name: str) -> None:
        """The process is about to end: whatever is to be kept is written now."""
        self._ending = failures.Ending(KILLED, signal=name)
        self._record_ending(ended=True)
        if self._backing is not None:
            self._backing.write_last(self)

    def note_replaced(self) -> None:
        """Another program is about to take the process over (os.exec): for this run it is the end."""
        self._record_ending(ended=True)
        if self._backing is not None:
            self._backing.write_last(self)

    def note_gone(self) -> None:
        """The signal has nobody else to go to: this is the end."""
        self._end_mirror()

    def note_survived(self) -> None:
        self._ending = failures.Ending()
        self._record_ending(ended=False)
        self._touch()

    def note_cell(self, error: BaseException | None) -> None:
        before = self._ending
        self._has_failed_cell = error is not None
        if error is None:
            self._ending = failures.Ending()
        else:
            self.note_failure(error, error.__traceback__)
        if before != self._ending:
            self._record_ending(ended=False)
            self._touch()

    def after_fork_in_child(self) -> None:
        self._lock = threading.RLock()
        if self._backing is not None:
            self._backing.after_fork_in_child()

    def __enter__(self) -> Run:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            self.finish()
        else:
            self.note_failure(error, trace)
            self.end()

    def __repr__(self) -> str:
        return f"<seamark run '{self.name}' ({self.status}) in '{self.dir if self._backing else 'nowhere'}'>"
