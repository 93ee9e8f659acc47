"""torch's lower-level writers: FileWriter, RecordWriter and hparams().

Lightning, Stable-Baselines3, Ray and others write hyperparameters as `hparams(…)` through
`writer.file_writer.add_summary(…)`. Messages may be ours or TensorBoard's: the bytes are the same.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from typing import IO, Any

from seamark import _core
from seamark.write.queue.recorder import Recorder
from seamark.write.writer.event_sink import EventSink, as_step
from seamark.write.writer.summary_writer import SummaryWriter as PlainWriter


class FileWriter:
    """Writes whole messages to one event file."""

    def __init__(
        self,
        log_dir: str | os.PathLike[str],
        max_queue: int = 10,
        flush_secs: float = 120,
        filename_suffix: str = "",
        *,
        sink: EventSink | None = None,
    ) -> None:
        self._log_dir = os.fspath(log_dir)
        self._sink = sink or EventSink(
            Recorder(log_dir, max_queue=max_queue, flush_secs=flush_secs, filename_suffix=filename_suffix)
        )

    def get_logdir(self) -> str:
        return self._log_dir

    def add_event(self, event: Any, step: Any = None, walltime: float | None = None) -> None:
        """Adds an Event message. As in torch, its time is always set, and its step if one is given."""
        event.wall_time = time.time() if walltime is None else walltime
        if step is not None:
            event.step = as_step(step)
        self._sink.add_event(event.SerializeToString())

    def add_summary(self, summary: Any, global_step: Any = None, walltime: float | None = None) -> None:
        from seamark.format.messages import Event, Summary

        self.add_event(Event(summary=Summary.FromString(summary.SerializeToString())), global_step, walltime)

    def add_graph(self, graph_profile: Sequence[Any], walltime: float | None = None) -> None:
        """Adds a GraphDef message, and the RunMetadata message that torch writes with it."""
        from seamark.kinds.event import run_metadata_event

        graph, stats = graph_profile
        self.add_onnx_graph(graph, walltime)
        now = time.time() if walltime is None else walltime
        self._sink.add_event(run_metadata_event("step1", stats.SerializeToString(), wall_time=now))

    def add_onnx_graph(self, graph: Any, walltime: float | None = None) -> None:
        from seamark.kinds.event import graph_event

        now = time.time() if walltime is None else walltime
        self._sink.add_event(graph_event(graph.SerializeToString(), wall_time=now))

    def add_keras_model(self, tag: str, text: str, step: int = 0) -> None:
        """Adds the JSON text that a Keras model's to_json() returns."""
        from seamark.kinds import keras_model

        self._sink.add(keras_model.encode(text, tag=tag), step)

    def flush(self) -> None:
        self._sink.flush()

    def close(self) -> None:
        self._sink.close()

    def reopen(self) -> None:
        """Does nothing: events added after close() go to a new file."""


class SummaryWriter(PlainWriter):
    """seamark.SummaryWriter with torch's `file_writer`, `_get_file_writer()` and `all_writers`."""

    def _get_file_writer(self) -> FileWriter:
        return FileWriter(self.log_dir, sink=self.sink)

    @property
    def file_writer(self) -> FileWriter:
        return self._get_file_writer()

    @property
    def all_writers(self) -> dict[str, FileWriter]:
        return {self.log_dir: self.file_writer}


class RecordWriter:
    """Frames records and writes them to a binary file."""

    def __init__(self, writer: IO[bytes]) -> None:
        self._writer = writer

    def write(self, data: bytes) -> None:
        self._writer.write(_core.frame(data))

    def flush(self) -> None:
        self._writer.flush()

    def close(self) -> None:
        self._writer.close()

    @property
    def closed(self) -> bool:
        return self._writer.closed


def hparams(
    hparam_dict: Mapping[str, Any],
    metric_dict: Mapping[str, Any],
    hparam_domain_discrete: Mapping[str, Sequence[Any]] | None = None,
) -> tuple[Any, Any, Any]:
    """Returns three Summary messages: the experiment, the session's start and its end."""
    from seamark.format.messages import Summary
    from seamark.write.encode import trials

    values = trials.encode(hparam_dict, metric_dict, hparam_domain_discrete or {})
    experiment, start, end = (Summary(value=[value]) for value in values)
    return experiment, start, end
