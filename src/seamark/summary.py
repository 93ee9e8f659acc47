"""Logging in the shape of tf.summary, for any Python: no TensorFlow needed.

    writer = seamark.summary.create_file_writer("runs/a")
    with writer.as_default():
        for step in range(100):
            seamark.summary.scalar("loss", 0.5, step=step)

The default writer, the step and the recording condition belong to the thread (or the asyncio task) that set them.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from seamark import __version__
from seamark.write import ranks, tracing
from seamark.write.base import as_step, event_of
from seamark.write.recorder import Recorder

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from seamark.format.messages import SummaryMetadata
    from seamark.write.base import Values

__all__ = [
    "FileWriter",
    "audio",
    "create_file_writer",
    "create_noop_writer",
    "experimental",
    "flush",
    "histogram",
    "image",
    "record_if",
    "scalar",
    "should_record_summaries",
    "text",
    "trace_export",
    "trace_off",
    "trace_on",
    "write",
]

_writer: ContextVar[FileWriter | None] = ContextVar("seamark_summary_writer", default=None)
_step: ContextVar[Any] = ContextVar("seamark_summary_step", default=None)
_condition: ContextVar[bool | Callable[[], Any]] = ContextVar("seamark_summary_condition", default=True)


class FileWriter:
    """Where summaries go while it is the default. Made by create_file_writer()."""

    def __init__(self, recorder: Recorder | None, logdir: str) -> None:
        self._recorder = recorder
        self.logdir = logdir

    @contextmanager
    def as_default(self, step: Any = None) -> Iterator[FileWriter]:
        """The default writer within the `with` block, and `step` the default step; flushed at its end."""
        writer_token = _writer.set(self)
        step_token = None if step is None else _step.set(step)
        try:
            yield self
        finally:
            self.flush()
            _writer.reset(writer_token)
            if step_token is not None:
                _step.reset(step_token)

    def set_as_default(self, step: Any = None) -> None:
        """The default writer from here on."""
        _writer.set(self)
        if step is not None:
            _step.set(step)

    def init(self) -> None:
        """For programs written for tf.summary: the file is there since the writer was made."""

    def flush(self) -> None:
        """Returns when all that was logged is with the operating system."""
        if self._recorder is not None:
            self._recorder.flush()

    def close(self) -> None:
        """Flushes and closes; what is logged later begins a new file."""
        if self._recorder is not None:
            self._recorder.close()

    @property
    def dropped(self) -> int:
        """Events that did not reach the file."""
        return 0 if self._recorder is None else self._recorder.dropped

    @property
    def writes(self) -> bool:
        """False for a writer that does nothing: made by create_noop_writer(), or not the chief's."""
        return self._recorder is not None

    def add(self, make: Callable[[], Values], nbytes: int, step: int) -> bool:
        """Logs what `make` gives: at once where `nbytes` is 0, in the background where it holds so many bytes."""
        if self._recorder is None:
            return False
        now = time.time()
        if nbytes == 0:
            self._recorder.add_event(event_of(make(), step, now))
        else:
            self._recorder.add_payload(lambda: event_of(make(), step, now), nbytes)
        return True


def create_file_writer(
    logdir: str | os.PathLike[str],
    max_queue: int | None = None,
    flush_millis: int | None = None,
    filename_suffix: str | None = None,
    name: str | None = None,
    *,
    all_ranks: bool = False,
) -> FileWriter:
    """A writer into a new event file in `logdir`. In a training of many processes only the chief's writes."""
    rank = ranks.detect()
    every = all_ranks or ranks.all_ranks_wanted()
    folder = os.fspath(logdir)
    if not (rank.is_chief or every):
        return FileWriter(None, folder)
    label = rank if every else ranks.ALONE
    recorder = Recorder(
        folder,
        max_queue=10 if max_queue is None else max_queue,
        flush_secs=120 if flush_millis is None else flush_millis / 1000,
        filename_suffix=ranks.suffix_of(label, filename_suffix or ""),
        writer=ranks.writer_of(label, __version__),
    )
    return FileWriter(recorder, folder)


def create_noop_writer() -> FileWriter:
    """A writer that writes nothing: as a default within a `with` block, it silences what is inside."""
    return FileWriter(None, "")


def scalar(name: str, data: Any, step: Any = None, description: str | None = None) -> bool:
    """Logs one number, as float32. True when it was recorded; so with all of these."""
    if not should_record_summaries():
        return False
    from seamark.kinds import scalar as kind
    from seamark.write.arrays import as_number

    number = as_number(data)
    return _record(lambda: kind.encode(name, number, description=description or ""), 0, step)


def histogram(
    name: str, data: Any, step: Any = None, buckets: int | None = None, description: str | None = None
) -> bool:
    """Logs the distribution of all elements, in buckets of equal width: 30 unless told otherwise."""
    if not should_record_summaries():
        return False
    from seamark.kinds import histogram as kind
    from seamark.write.arrays import as_copy

    array, count = as_copy(data), kind.DEFAULT_BUCKETS if buckets is None else int(buckets)
    return _record(lambda: kind.encode(name, array, buckets=count, description=description or ""), array.nbytes, step)


def image(name: str, data: Any, step: Any = None, max_outputs: int = 3, description: str | None = None) -> bool:
    """Logs the first `max_outputs` pictures of [k, h, w, c]: uint8 from 0 to 255, or floats from 0 to 1."""
    if not should_record_summaries():
        return False
    from seamark.kinds import image as kind
    from seamark.write.arrays import as_array

    batch = _batch(as_array(data), 4, max_outputs, "an image batch has 4 dimensions, [k, h, w, c]")
    return _record(lambda: kind.encode(name, batch, description=description or ""), batch.nbytes, step)


def audio(
    name: str,
    data: Any,
    sample_rate: int,
    step: Any = None,
    max_outputs: int = 3,
    encoding: str | None = None,
    description: str | None = None,
) -> bool:
    """Logs the first `max_outputs` sounds of [k, t, c], floats from -1 to 1, as WAV."""
    if encoding not in (None, "wav"):
        raise ValueError(f"unknown audio encoding: got {encoding!r}, want 'wav' or None")
    if not should_record_summaries():
        return False
    from seamark.kinds import audio as kind
    from seamark.write.arrays import as_array

    batch, rate = _batch(as_array(data), 3, max_outputs, "an audio batch has 3 dimensions, [k, t, c]"), int(sample_rate)
    return _record(
        lambda: kind.encode(name, batch, sample_rate_hz=rate, description=description or ""), batch.nbytes, step
    )


def text(name: str, data: Any, step: Any = None, description: str | None = None) -> bool:
    """Logs Markdown: a string, or nested lists of strings; rank 2 is a table."""
    if not should_record_summaries():
        return False
    from seamark.kinds import text as kind
    from seamark.write.arrays import as_array

    words = data if isinstance(data, str | bytes | list | tuple) else as_array(data).tolist()
    return _record(lambda: kind.encode(name, words, description=description or ""), 0, step)


def write(tag: str, tensor: Any, step: Any = None, metadata: SummaryMetadata | None = None) -> bool:
    """Logs a tensor of numbers or strings as it is. `metadata` (a SummaryMetadata message of any library's) says who
    shows it."""
    if not should_record_summaries():
        return False
    from seamark.format import messages
    from seamark.kinds.tensor import from_array
    from seamark.write.arrays import as_copy

    array = as_copy(tensor)
    about = messages.SummaryMetadata.FromString(b"" if metadata is None else metadata.SerializeToString())
    return _record(
        lambda: messages.Summary.Value(tag=tag, metadata=about, tensor=from_array(array)), array.nbytes, step
    )


def record_if(condition: bool | Callable[[], Any]) -> AbstractContextManager[None]:
    """Within the `with` block, summaries are recorded only where the condition holds; a function is asked each time."""
    return _within(_condition, condition)


def should_record_summaries() -> bool:
    """True when there is a default writer that writes, and the condition of record_if() holds."""
    writer, condition = _writer.get(), _condition.get()
    return writer is not None and writer.writes and bool(condition() if callable(condition) else condition)


def flush(writer: FileWriter | None = None) -> None:
    """Flushes the writer, or the default one."""
    chosen = writer or _writer.get()
    if chosen is not None:
        chosen.flush()


def trace_on(graph: bool = True, profiler: bool = False, profiler_outdir: str | os.PathLike[str] | None = None) -> None:
    """Starts torch's or JAX's profiler, whichever is imported. Graphs are not traced: see SummaryWriter.add_graph."""
    if profiler:
        writer = _writer.get()
        own = "" if writer is None else writer.logdir
        tracing.start(None if profiler_outdir is None else os.fspath(profiler_outdir), own)


def trace_export(name: str, step: Any = None, profiler_outdir: str | os.PathLike[str] | None = None) -> None:
    """Stops the profiler and writes what it saw to `plugins/profile/<time>`, below the log directory by default."""
    writer = _writer.get()
    own = "" if writer is None else writer.logdir
    folder = tracing.stop(os.fspath(profiler_outdir) if profiler_outdir is not None else None, own)
    if folder is not None and should_record_summaries():
        text(name, f"profile of step {_step_or_default(step)}: `{folder}`", step)


def trace_off() -> None:
    """Stops the profiler and forgets what it saw."""
    tracing.discard()


class experimental:  # noqa: N801 - a name of tf.summary's
    """What tf.summary keeps under `experimental`: the default step, and events made elsewhere."""

    @staticmethod
    def get_step() -> Any:
        return _step.get()

    @staticmethod
    def set_step(step: Any) -> None:
        """The step of summaries that are given none."""
        _step.set(step)

    @staticmethod
    def write_raw_pb(tensor: bytes, step: Any = None) -> bool:
        """Logs a serialized Summary."""
        if not should_record_summaries():
            return False
        from seamark.format.messages import Summary

        values = list(Summary.FromString(tensor).value)
        return _record(lambda: values, 0, step)


def _record(make: Callable[[], Values], nbytes: int, step: Any) -> bool:
    writer = _writer.get()
    return writer is not None and writer.add(make, nbytes, _step_or_default(step))


def _step_or_default(step: Any) -> int:
    chosen = _step.get() if step is None else step
    if chosen is None:
        raise ValueError("no step: pass step=, or set one with seamark.summary.experimental.set_step()")
    return as_step(chosen)


def _batch(array: NDArray[Any], rank: int, max_outputs: int, want: str) -> NDArray[Any]:
    from seamark.write.arrays import copy_of

    if array.ndim != rank:
        raise ValueError(f"{want}: got shape {list(array.shape)}")
    if max_outputs < 0:
        raise ValueError(f"max_outputs must not be negative: got {max_outputs}")
    return copy_of(array[:max_outputs])


@contextmanager
def _within(variable: ContextVar[Any], value: Any) -> Iterator[None]:
    token = variable.set(value)
    try:
        yield
    finally:
        variable.reset(token)
