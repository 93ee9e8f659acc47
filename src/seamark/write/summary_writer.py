"""seamark.SummaryWriter: the interface of torch's and tensorboardX's writer, at a fraction of the cost."""

from __future__ import annotations

import os
import socket
from datetime import datetime
from time import time
from types import TracebackType
from typing import TYPE_CHECKING, Any

from seamark import __version__
from seamark.write import ranks
from seamark.write.add_media import AddMedia
from seamark.write.add_numbers import AddNumbers
from seamark.write.add_structure import AddStructure
from seamark.write.base import as_step
from seamark.write.recorder import Recorder
from seamark.write.tensorboardx import TensorboardXOnly

if TYPE_CHECKING:
    from seamark.kinds.custom_scalars import Layout
    from seamark.kinds.projector import Embedding


class SummaryWriter(TensorboardXOnly, AddNumbers, AddMedia, AddStructure):
    """Logs a run into an event file in `log_dir`.

    Where a training runs in several processes, only the chief writes, and the writers of the others do nothing. With
    `all_ranks` (or SEAMARK_ALL_RANKS=1) each writes its own file, with its rank in the file's name and first event.
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
        """`logdir` is tensorboardX's name for `log_dir`; its `comet_config` is accepted and left alone."""
        chosen = log_dir if log_dir else logdir
        self.log_dir = os.fspath(chosen) if chosen else default_log_dir(comment)
        self.purge_step = purge_step
        self.max_queue = max_queue
        self.flush_secs = flush_secs
        self.filename_suffix = filename_suffix
        self.rank = ranks.detect()
        self._is_one_of_many = all_ranks or ranks.all_ranks_wanted()
        writes = write_to_disk and (self.rank.is_chief or self._is_one_of_many)
        self._recorder = self._recorder_of(self.log_dir) if writes else None
        # Bound once: add_scalar is called more often than everything else together.
        self._scalar = _nowhere if self._recorder is None else self._recorder.scalar
        self._key_recorders: dict[str, Recorder] = {}
        self._grouped: set[str] = set()
        self._layout: Layout | None = None
        self._embeddings: list[Embedding] = []
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
        """Logs one number. Takes about half a microsecond and never waits.

        `new_style` writes a tensor instead of a float32 `simple_value`, with `double_precision` one of float64;
        `display_name` and `summary_description` (Markdown) are shown by viewers.
        """
        if new_style or display_name or summary_description:
            self._add_styled_scalar(
                tag, scalar_value, global_step, walltime, double_precision, display_name, summary_description
            )
            return
        said = self._scalar(tag, scalar_value, global_step, time() if walltime is None else walltime)
        if said:
            self._after_scalar(said, tag, scalar_value, global_step, walltime, self._recorder)

    def get_logdir(self) -> str:
        return self.log_dir

    @property
    def dropped(self) -> int:
        """Events that did not reach the file: the disk stalled or was full for too long, or encoding failed."""
        return sum(recorder.dropped for recorder in self._recorders())

    def flush(self) -> None:
        """Returns when all that was logged is with the operating system: viewers see it, a kill cannot lose it."""
        for recorder in self._recorders():
            recorder.flush()

    def close(self) -> None:
        """Flushes and closes. What is logged after that begins a new file in the same folder, as with torch's."""
        for recorder in self._recorders():
            recorder.close()

    def __enter__(self) -> SummaryWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _recorders(self) -> list[Recorder]:
        return [] if self._recorder is None else [self._recorder, *self._key_recorders.values()]

    def _recorder_of(self, folder: str) -> Recorder:
        label = self.rank if self._is_one_of_many else ranks.ALONE
        return Recorder(
            folder,
            max_queue=self.max_queue,
            flush_secs=self.flush_secs,
            filename_suffix=ranks.suffix_of(label, self.filename_suffix),
            writer=ranks.writer_of(label, __version__),
        )

    def _purge_from(self, step: int) -> None:
        """Tells readers that what an earlier, crashed process logged from this step on does not count."""
        from seamark.format.messages import Event, SessionLog

        if self._recorder is None:
            return
        start = SessionLog(status=SessionLog.START)
        for event in (Event(step=step, file_version="brain.Event:2"), Event(step=step, session_log=start)):
            event.wall_time = time()
            self._recorder.add_event(event.SerializeToString())


def default_log_dir(comment: str = "") -> str:
    """runs/<date and time>_<host><comment>, as torch names it."""
    name = datetime.now().strftime("%b%d_%H-%M-%S") + "_" + socket.gethostname() + comment
    return os.path.join("runs", name)  # noqa: PTH118 - what torch gives, to the letter


def _nowhere(tag: object, value: object, step: object, wall_time: float) -> int:
    return 0
