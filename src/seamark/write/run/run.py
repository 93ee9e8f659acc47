"""Run: the object that seamark.init() returns."""

from __future__ import annotations

import logging
import os
import sys
import threading
import time
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from seamark.format.run_record import Alert, RunRecord
from seamark.write.queue.warn_once import WarnOnce
from seamark.write.run import ending
from seamark.write.run.artifacts.run_files import RunFiles
from seamark.write.run.config.config import Config
from seamark.write.run.config.metrics import Metrics, Summary
from seamark.write.run.identity import Identity
from seamark.write.run.mirror.mirror import Mirror
from seamark.write.run.run_ending import RunEnding
from seamark.write.run.run_log import RunLog
from seamark.write.run.run_recorder import RunRecorder
from seamark.write.run.secrets import redact
from seamark.write.run.values import dispatch

if TYPE_CHECKING:
    from seamark.write.profile.recording import ProfileRecording
    from seamark.write.run.hooks.watcher import Watcher
    from seamark.write.writer.summary_writer import SummaryWriter

LEVELS = ("info", "warn", "error")
MAX_ALERTS = 1000

logger = logging.getLogger(__name__)


class Run(Identity, RunFiles, RunLog, RunEnding):
    """Created by seamark.init(). Thread-safe. In a forked child it does nothing: the run belongs to the parent."""

    def __init__(
        self,
        record: RunRecord,
        recorder: RunRecorder | None,
        *,
        config: Any = None,
        first_step: int = 0,
        project_dir: Path | None = None,
    ) -> None:
        self._record, self._recorder = record, recorder
        self._project_dir = project_dir
        self.pid = os.getpid()
        self.resumed = len(record.sessions) > 1
        self._lock = threading.RLock()
        self._warn_once = WarnOnce(logger, str(recorder.folder) if recorder else record.name)
        self._step = first_step
        self._metrics = Metrics(record.metrics)
        self._latest = {}
        self._mirror = None
        self._saved_at_end = []
        self._alerted_at: dict[str, float] = {}
        self.config = Config(record.config, changed=self._config_changed)
        if config is not None:
            self.config.update(config)
        self.summary = Summary(self._metrics, self._touch, record.summary, record.summary_counts)
        if recorder is not None:
            recorder.attach(self.config, self.summary)

    @property
    def dir(self) -> Path:
        """The run's folder; a temporary one if the run is disabled."""
        return self._recorder.folder if self._recorder else ending.temporary_folder()

    @property
    def writer(self) -> SummaryWriter | None:
        """The run's SummaryWriter, for data that log() does not support; None if the run is disabled or over."""
        return self._recorder.writer if self._recorder and self.is_live else None

    @property
    def disabled(self) -> bool:
        return self._recorder is None

    def alert(self, title: str, text: str = "", level: str = "info", wait_duration: float | timedelta = 0.0) -> None:
        """Reports something to a person: in run.json, as text `alerts` and on stderr.

        An alert with the same title within `wait_duration` seconds is ignored.
        """
        name = str(getattr(level, "value", level)).lower()
        name = {"warning": "warn"}.get(name, name)
        if name not in LEVELS:
            raise ValueError(f"unknown level of an alert: got {level!r}, want {', '.join(LEVELS)}")
        if self._recorder is None or not self._can_log():
            return
        title, text = redact.text(str(title)), redact.text(str(text))
        now = time.time()
        pause_secs = wait_duration.total_seconds() if isinstance(wait_duration, timedelta) else float(wait_duration)
        with self._lock:
            if now - self._alerted_at.get(title, -1e18) < pause_secs:
                return
            self._alerted_at[title] = now
            self._record.alerts = (*self._record.alerts, Alert(now, title, text, name, self._step))[-MAX_ALERTS:]
        with self._warn_once.guard("alert", "an alert cannot be logged"):
            dispatch.write(self._recorder.writer, "alerts", f"**{name}: {title}**\n\n{text}", self._step)
            print(f"seamark: {name}: {title}{': ' + text if text else ''}", file=sys.stderr)
        self._touch()

    def log_graph(self, model: Any, example_inputs: Any = None) -> None:
        """Logs the graph of a torch module, a Keras model or a function of JAX.

        `example_inputs`, which Keras models do not need, is a tensor, a tuple of arguments or a dict of keyword
        arguments. Wrong arguments are errors; a model that cannot be traced is a warning.
        """
        from seamark.write.encode import graphs

        example = graphs.Example.of_log_graph(example_inputs)
        graphs.check_model(model, example, "log_graph")
        if self._recorder is None or not self._can_log():
            return
        with self._warn_once.guard("graph", "the graph cannot be logged"):
            for event in graphs.model_events(model, example):
                self._recorder.writer.sink.add_event(event)

    def profile(self, **options: Any) -> ProfileRecording:
        """`with run.profile() as recording: …` profiles the block; see `seamark.profile` for the options."""
        from seamark.write.profile.recording import record

        writer = self.writer
        return record(None if writer is None else Path(writer.log_dir), **options)

    def log_embedding(
        self, name: str, matrix: Any, metadata: Any = None, images: Any = None, step: int | None = None
    ) -> None:
        """Logs vectors, [points, dimensions], for the projector; a step more shows how they move.

        `metadata` is a list of labels, a dict of columns, a list of dicts, or a table of pandas, Polars or Arrow.
        `images` are thumbnails: [n, h, w], [n, h, w, c] or [n, c, h, w], as bytes or floats from 0 to 1, or a list of
        pictures of PIL. Wrong arguments are errors. The files are written in the background, next to the event file,
        and TensorBoard opens them, too.
        """
        from seamark.write.encode.embedding.content import of_log_embedding

        if not str(name):
            raise ValueError("an embedding needs a name: got an empty one")
        content = of_log_embedding(matrix, metadata, images)
        if self._recorder is None or not self._can_log():
            return
        with self._warn_once.guard("embedding", "the embedding cannot be logged"), self._lock:
            at = self._step if step is None else int(step)
            writer = self._recorder.writer
            writer.embedding_files.add(writer.sink.recorder, str(name), content, step=at)
            self._record.last_step = max(at, self._record.last_step or 0)

    def watch(self, model: Any, log: str = "gradients", log_freq: int = 100, **options: Any) -> Watcher:
        """Logs statistics of a torch module's gradients, weights or activations; see seamark.watch()."""
        from seamark.write.run.hooks.watcher import watch_model

        return watch_model(model, self, log=log, log_freq=log_freq, **options)

    def mirror_to(self, mirror: Mirror) -> None:
        """Sends everything that is logged from now on to the mirror, too."""
        self._mirror = mirror
        self._config_changed()

    def _config_changed(self) -> None:
        if self._mirror is not None:
            with self._warn_once.guard("mirror", "the mirror rejected the config"):
                self._mirror.config(self.config.as_dict())
        self._touch()

    def __repr__(self) -> str:
        return f"<seamark run '{self.name}' ({self.status}) in '{self.dir if self._recorder else 'nowhere'}'>"
