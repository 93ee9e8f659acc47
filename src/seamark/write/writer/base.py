"""The attributes that the SummaryWriter's groups of methods share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seamark.write.writer.event_sink import EventSink

if TYPE_CHECKING:
    from seamark.kinds.custom_scalars import Layout


class WriterBase:
    log_dir: str
    sink: EventSink

    def _open_sink(self, folder: str) -> EventSink:
        """Opens an event file of another run, with this writer's settings."""
        raise NotImplementedError

    def _add_layout(self, layout: Layout) -> None:
        """Logs which scalars belong in one chart."""
        raise NotImplementedError
