"""seamark.SummaryWriter: the interface of torch's and tensorboardX's writer, at a fraction of the cost."""

from __future__ import annotations

import os
import socket
from datetime import datetime
from time import time
from types import TracebackType
from typing import TYPE_CHECKING, Any

from seamark.format.bucket_address import is_bucket
from seamark.version import __version__
from seamark.write.queue.recorder import Recorder
from seamark.write.writer import ranks
from seamark.write.writer.add_media import AddMedia
from seamark.write.writer.add_numbers import AddNumbers
from seamark.write.writer.add_structure import AddStructure
from seamark.write.writer.bucket import WriterBucket, open_bucket
from seamark.write.writer.event_sink import EventSink, as_step
from seamark.write.writer.tensorboardx import TensorboardXOnly

if TYPE_CHECKING:
    from seamark.kinds.custom_scalars import Layout


class SummaryWriter(TensorboardXOnly, AddNumbers, AddMedia, AddStructure):
    """Logs a run into an event file in `log_dir`, a folder or the address of one in a bucket (s3://, gs://, az://).

    In a training of several processes only the chief's writer writes; the others do nothing. With `all_ranks` (or
    SEAMARK_ALL_RANKS=1) each process writes its own file, with its rank in the file's name and first event.
    """

    def __init__(
        self,
        log_dir: str | os.PathLike[str] | None = None,
        comment: str = "",
        purge_step: int | None = None,
        max_queue: int = 10,
        flush_secs: float = 120,
        filename_suffix: str = "",
        write_to_disk: bool = True,
        *,
        logdir: str | os.PathLike[str] | None = None,
        all_ranks: bool = False,
        comet_config: Any = None,
    ) -> None:
        """`logdir` is tensorboardX's name for `log_dir`; its `comet_config` is accepted and ignored."""
        chosen = log_dir if log_dir else logdir
        self._bucket: WriterBucket | None = None
        self.log_dir = os.fspath(chosen) if chosen else default_log_dir(comment)
        self.purge_step = purge_step
        self.max_queue = max_queue
        self.flush_secs = flush_secs
        self.filename_suffix = filename_suffix
        self.rank = ranks.detect()
        self._is_one_of_many = all_ranks or ranks.all_ranks_wanted()
        writes = write_to_disk and (self.rank.is_chief or self._is_one_of_many)
        if writes and is_bucket(self.log_dir):
            self._bucket = open_bucket(self)
            self.log_dir = self._bucket.folder
        self.sink = self._open_sink(self.log_dir) if writes else EventSink(None)
        # Bound once: add_scalar is called more often than all other methods together.
        self._add_plain_scalar = self.sink.add_plain_scalar
        self._key_sinks: dict[str, EventSink] = {}
        self._grouped: set[str] = set()
        self._layout: Layout | None = None
        if purge_step is not None:
            self._purge_from(as_step(purge_step))

    def add_scalar(
        self,
        tag: str,
        scalar_value: Any,
        global_step: Any = None,
        walltime: float | None = None,
        new_style: bool = False,
        double_precision: bool = False,
        *,
        display_name: str = "",
        summary_description: str = "",
    ) -> None:
        """Logs one number. Takes about half a microsecond and never blocks.

        `new_style` writes a tensor instead of a float32 `simple_value`, and with `double_precision` a float64 tensor.
        Viewers show `display_name` and `summary_description` (Markdown).
        """
        if new_style or display_name or summary_description:
            self._add_styled_scalar(
                tag, scalar_value, global_step, walltime, double_precision, display_name, summary_description
            )
            return
        status = self._add_plain_scalar(tag, scalar_value, global_step, time() if walltime is None else walltime)
        if status:
            self.sink.finish_scalar(status, tag, scalar_value, global_step, walltime)

    def get_logdir(self) -> str:
        return self.log_dir if self._bucket is None else self._bucket.address

    @property
    def dropped(self) -> int:
        """Events that did not reach the file: the disk stalled or was full for too long, or encoding failed."""
        return sum(sink.dropped for sink in self._sinks())

    def flush(self) -> None:
        """Returns when the operating system has all logged events: viewers see them, and they survive a kill."""
        for sink in self._sinks():
            sink.flush()

    def close(self) -> None:
        """Flushes and closes. As with torch, later calls write to a new file in the same folder."""
        for sink in self._sinks():
            sink.close()
        if self._bucket is not None:
            self._bucket.flush()

    def __enter__(self) -> SummaryWriter:
        return self

    def __exit__(
        self, error_type: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _sinks(self) -> list[EventSink]:
        return [self.sink, *self._key_sinks.values()]

    def _open_sink(self, folder: str) -> EventSink:
        label = self.rank if self._is_one_of_many else ranks.ALONE
        recorder = Recorder(
            folder,
            max_queue=self.max_queue,
            flush_secs=self.flush_secs,
            filename_suffix=ranks.suffix_of(label, self.filename_suffix),
            writer=ranks.writer_of(label, __version__),
        )
        return EventSink(recorder)

    def _purge_from(self, step: int) -> None:
        """Tells readers to ignore points of an earlier, crashed process from this step on."""
        if self.sink.writes:
            from seamark.kinds.event import restart_events

            for event in restart_events(step=step, wall_time=time()):
                self.sink.add_event(event)


def default_log_dir(comment: str = "") -> str:
    """runs/<date and time>_<host><comment>, as torch names it."""
    name = datetime.now().strftime("%b%d_%H-%M-%S") + "_" + socket.gethostname() + comment
    return os.path.join("runs", name)  # noqa: PTH118 - the same string as torch's
