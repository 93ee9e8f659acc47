"""The interface of tf.summary, without TensorFlow.

    writer = seamark.summary.create_file_writer("runs/a")
    with writer.as_default():
        for step in range(100):
            seamark.summary.scalar("loss", 0.5, step=step)

The default writer, the step and the recording condition belong to the thread (or the asyncio task) that set them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from seamark.version import __version__
from seamark.write.profile import tracing
from seamark.write.queue.recorder import Recorder
from seamark.write.writer import ranks
from seamark.write.writer.event_sink import EventSink, as_step

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from seamark.format.messages import SummaryMetadata
    from seamark.kinds.event import Values

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
    """Writes summaries while it is the default writer. Create it with create_file_writer()."""

    def __init__(self, sink: EventSink, logdir: str) -> None:
        self._sink = sink
        self.logdir = logdir

    @contextmanager
    def as_default(self, step: Any = None) -> Iterator[FileWriter]:
        """Makes this the default writer, and `step` the default step, within the `with` block. Flushes at its end."""
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
        """Makes this the default writer from now on."""
        _writer.set(self)
        if step is not None:
            _step.set(step)

    def init(self) -> None:
        """Does nothing: the file is created with the writer. For programs written for tf.summary."""

    def flush(self) -> None:
        """Returns when the operating system has all logged events."""
        self._sink.flush()

    def close(self) -> None:
        """Flushes and closes. Later calls write to a new file."""
        self._sink.close()

    @property
    def dropped(self) -> int:
        """The number of events that did not reach the file."""
        return self._sink.dropped

    @property
    def writes(self) -> bool:
        """False for a writer of create_noop_writer(), or of a process that is not the chief."""
        return self._sink.writes

    def add(self, encode: Callable[[], Values], nbytes: int, step: int) -> bool:
        """Calls `encode` at once if `nbytes` is 0, otherwise in the background. Returns True if it writes."""
        if nbytes == 0:
            if self._sink.writes:
                self._sink.add(encode(), step)
        else:
            self._sink.add_later(encode, nbytes, step)
        return self._sink.writes


def create_file_writer(
    logdir: str | os.PathLike[str],
    max_queue: int | None = None,
    flush_millis: int | None = None,
    filename_suffix: str | None = None,
    name: str | None = None,
    *,
    all_ranks: bool = False,
) -> FileWriter:
    """Creates a writer with a new event file in `logdir`. In a distributed training only the chief's writes."""
    rank = ranks.detect()
    every = all_ranks or ranks.all_ranks_wanted()
    folder = os.fspath(logdir)
    if not (rank.is_chief or every):
        return FileWriter(EventSink(None), folder)
    label = rank if every else ranks.ALONE
    recorder = Recorder(
        folder,
        max_queue=10 if max_queue is None else max_queue,
        flush_secs=120 if flush_millis is None else flush_millis / 1000,
        filename_suffix=ranks.suffix_of(label, filename_suffix or ""),
        writer=ranks.writer_of(label, __version__),
    )
    return FileWriter(EventSink(recorder), folder)


def create_noop_writer() -> FileWriter:
    """Creates a writer that writes nothing. As the default writer of a `with` block it disables logging."""
    return FileWriter(EventSink(None), "")


def scalar(name: str, data: Any, step: Any = None, description: str | None = None) -> bool:
    """Logs one number as float32. Like the functions below, returns True if it was recorded."""
    if not should_record_summaries():
        return False
    from seamark.kinds import scalar as kind
    from seamark.write.encode.arrays import as_number

    number = as_number(data)
    return _record(lambda: kind.encode(name, number, description=description or ""), 0, step)


def histogram(
    name: str, data: Any, step: Any = None, buckets: int | None = None, description: str | None = None
) -> bool:
    """Logs the distribution of all elements, in buckets of equal width, by default 30."""
    if not should_record_summaries():
        return False
    from seamark.kinds import histogram as kind
    from seamark.write.encode.arrays import as_copy

    array, count = as_copy(data), kind.DEFAULT_BUCKETS if buckets is None else int(buckets)
    return _record(lambda: kind.encode(name, array, buckets=count, description=description or ""), array.nbytes, step)


def image(name: str, data: Any, step: Any = None, max_outputs: int = 3, description: str | None = None) -> bool:
    """Logs the first `max_outputs` pictures of [k, h, w, c]: uint8 from 0 to 255, or floats from 0 to 1."""
    if not should_record_summaries():
        return False
    from seamark.kinds import image as kind
    from seamark.write.encode.arrays import as_array

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
    from seamark.write.encode.arrays import as_array

    batch, rate = _batch(as_array(data), 3, max_outputs, "an audio batch has 3 dimensions, [k, t, c]"), int(sample_rate)
    return _record(
        lambda: kind.encode(name, batch, sample_rate_hz=rate, description=description or ""), batch.nbytes, step
    )


def text(name: str, data: Any, step: Any = None, description: str | None = None) -> bool:
    """Logs Markdown: a string, or nested lists of strings; rank 2 is a table."""
    if not should_record_summaries():
        return False
    from seamark.kinds import text as kind
    from seamark.write.encode.arrays import as_array

    words = data if isinstance(data, str | bytes | list | tuple) else as_array(data).tolist()
    return _record(lambda: kind.encode(name, words, description=description or ""), 0, step)


def write(tag: str, tensor: Any, step: Any = None, metadata: SummaryMetadata | None = None) -> bool:
    """Logs a tensor of numbers or strings unchanged. `metadata`, a SummaryMetadata message of any library, selects the
    plugin that shows it."""
    if not should_record_summaries():
        return False
    from seamark.format import messages
    from seamark.kinds.tensor import from_array
    from seamark.write.encode.arrays import as_copy

    array = as_copy(tensor)
    about = messages.SummaryMetadata.FromString(b"" if metadata is None else metadata.SerializeToString())
    return _record(
        lambda: messages.Summary.Value(tag=tag, metadata=about, tensor=from_array(array)), array.nbytes, step
    )


def record_if(condition: bool | Callable[[], Any]) -> AbstractContextManager[None]:
    """Within the `with` block, records summaries only if the condition holds; a function is called each time."""
    return _within(_condition, condition)


def should_record_summaries() -> bool:
    """True if there is a default writer that writes and the condition of record_if() holds."""
    writer, condition = _writer.get(), _condition.get()
    return writer is not None and writer.writes and bool(condition() if callable(condition) else condition)


def flush(writer: FileWriter | None = None) -> None:
    """Flushes the writer, by default the default writer."""
    chosen = writer or _writer.get()
    if chosen is not None:
        chosen.flush()


def trace_on(graph: bool = True, profiler: bool = False, profiler_outdir: str | os.PathLike[str] | None = None) -> None:
    """Starts torch's or JAX's profiler, whichever is imported. Graphs are not traced: see SummaryWriter.add_graph."""
    if profiler:
        writer = _writer.get()
        own = "." if writer is None else writer.logdir
        tracing.start(own if profiler_outdir is None else os.fspath(profiler_outdir))


def trace_export(name: str, step: Any = None, profiler_outdir: str | os.PathLike[str] | None = None) -> None:
    """Stops the profiler and writes the profile to `plugins/profile/<time>`, by default in the log directory."""
    folder = tracing.stop(None if profiler_outdir is None else os.fspath(profiler_outdir))
    if folder is not None and should_record_summaries():
        text(name, f"profile of step {_step_or_default(step)}: `{folder}`", step)


def trace_off() -> None:
    """Stops the profiler and discards the profile."""
    tracing.discard()


class experimental:  # noqa: N801 - tf.summary's name
    """tf.summary.experimental: the default step, and serialized events."""

    @staticmethod
    def get_step() -> Any:
        return _step.get()

    @staticmethod
    def set_step(step: Any) -> None:
        """Sets the step of summaries without one."""
        _step.set(step)

    @staticmethod
    def write_raw_pb(tensor: bytes, step: Any = None) -> bool:
        """Logs a serialized Summary."""
        if not should_record_summaries():
            return False
        from seamark.format.messages import Summary

        values = list(Summary.FromString(tensor).value)
        return _record(lambda: values, 0, step)


def _record(encode: Callable[[], Values], nbytes: int, step: Any) -> bool:
    writer = _writer.get()
    return writer is not None and writer.add(encode, nbytes, _step_or_default(step))


def _step_or_default(step: Any) -> int:
    chosen = _step.get() if step is None else step
    if chosen is None:
        raise ValueError("no step: pass step=, or set one with seamark.summary.experimental.set_step()")
    return as_step(chosen)


def _batch(array: NDArray[Any], rank: int, max_outputs: int, want: str) -> NDArray[Any]:
    from seamark.write.encode.arrays import copy_of

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
