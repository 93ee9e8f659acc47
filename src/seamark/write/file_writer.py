"""The floor below torch's SummaryWriter, for programs that reach down to it: FileWriter, RecordWriter and hparams().

Lightning, Stable-Baselines3, Ray and others write hyperparameters as `hparams(…)` through
`writer.file_writer.add_summary(…)`. Messages may be ours or TensorBoard's: the bytes are the same.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from typing import IO, Any

from seamark import _core
from seamark.write.base import as_step
from seamark.write.recorder import Recorder
from seamark.write.summary_writer import SummaryWriter as PlainWriter


class FileWriter:
    """One event file that takes whole messages."""

    def __init__(
        self,
        log_dir: str | os.PathLike[str],
        max_queue: int = 10,
        flush_secs: float = 120,
        filename_suffix: str = "",
        *,
        recorder: Recorder | None = None,
    ) -> None:
        self._log_dir = os.fspath(log_dir)
        self._recorder = recorder or Recorder(
            log_dir, max_queue=max_queue, flush_secs=flush_secs, filename_suffix=filename_suffix
        )

    def get_logdir(self) -> str:
        return self._log_dir

    def add_event(self, event: Any, step: Any = None, walltime: float | None = None) -> None:
        """An Event message. As in torch, its time is always set and its step when given."""
        event.wall_time = time.time() if walltime is None else walltime
        if step is not None:
            event.step = as_step(step)
        self._recorder.add_event(event.SerializeToString())

    def add_summary(self, summary: Any, global_step: Any = None, walltime: float | None = None) -> None:
        from seamark.format.messages import Event, Summary

        self.add_event(Event(summary=Summary.FromString(summary.SerializeToString())), global_step, walltime)

    def add_graph(self, graph_profile: Sequence[Any], walltime: float | None = None) -> None:
        """A GraphDef message, and the StepStats beside it as torch writes them."""
        from seamark.format.messages import Event, TaggedRunMetadata

        graph, stats = graph_profile
        self.add_onnx_graph(graph, walltime)
        recorded = TaggedRunMetadata(tag="step1", run_metadata=stats.SerializeToString())
        self.add_event(Event(tagged_run_metadata=recorded), None, walltime)

    def add_onnx_graph(self, graph: Any, walltime: float | None = None) -> None:
        from seamark.format.messages import Event

        self.add_event(Event(graph_def=graph.SerializeToString()), None, walltime)

    def add_keras_model(self, tag: str, text: str, step: int = 0) -> None:
        """A Keras model, as what its to_json() gives."""
        from seamark.format.messages import Event, Summary
        from seamark.kinds import keras_model

        self.add_event(Event(summary=Summary(value=[keras_model.encode(text, tag=tag)])), step)

    def flush(self) -> None:
        self._recorder.flush()

    def close(self) -> None:
        self._recorder.close()

    def reopen(self) -> None:
        """Nothing to do: what is added after a close begins a new file."""


class NoFileWriter(FileWriter):
    """Where nothing is written (not the chief, or write_to_disk=False)."""

    def __init__(self, log_dir: str) -> None:
        self._log_dir = log_dir

    def add_event(self, event: Any, step: Any = None, walltime: float | None = None) -> None:
        pass

    def flush(self) -> None:
        pass

    def close(self) -> None:
        pass


def file_of(writer: PlainWriter) -> FileWriter:
    """The file that a writer writes, for whole messages; one that does nothing where the writer writes nothing."""
    if writer._recorder is None:
        return NoFileWriter(writer.log_dir)
    return FileWriter(writer.log_dir, recorder=writer._recorder)


class SummaryWriter(PlainWriter):
    """seamark.SummaryWriter with torch's lower floor: `file_writer`, `_get_file_writer()` and `all_writers`."""

    def _get_file_writer(self) -> FileWriter:
        return file_of(self)

    @property
    def file_writer(self) -> FileWriter:
        return self._get_file_writer()

    @property
    def all_writers(self) -> dict[str, FileWriter]:
        return {self.log_dir: self.file_writer}


class RecordWriter:
    """Frames records with length and checksums into a file that is open for writing bytes."""

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
    """Three Summary messages: the experiment, the session's start and its end."""
    from seamark.format.messages import Summary
    from seamark.write import trials

    values = trials.encode(hparam_dict, metric_dict, hparam_domain_discrete or {})
    experiment, start, end = (Summary(value=[value]) for value in values)
    return experiment, start, end
