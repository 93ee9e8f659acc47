"""Methods that tensorboardX's writer has and torch's has not."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import Any

from seamark import _core
from seamark.write.writer.base import WriterBase
from seamark.write.writer.event_sink import EventSink


class TensorboardXOnly(WriterBase):
    _key_sinks: dict[str, EventSink]
    _add_plain_scalar: Callable[[Any, Any, Any, float], int]

    @contextmanager
    def use_metadata(self, *, global_step: Any = None, walltime: float | None = None) -> Iterator[None]:
        """Within the block, calls without a step or a time use these."""
        before = self._add_plain_scalar
        self._add_plain_scalar = _not_plain  # the native function does not know the defaults
        try:
            with self.sink.defaults(step=global_step, wall_time=walltime):
                yield
        finally:
            self._add_plain_scalar = before

    def export_scalars_to_json(self, path: str | PathLike[str]) -> None:
        """Writes the points that add_scalars() has logged since the last close(): {folder: [[time, step, value], …]}"""
        recorders = {folder: sink.recorder for folder, sink in self._key_sinks.items() if sink.recorder is not None}
        for recorder in recorders.values():
            recorder.flush()
        points = {folder: _points(recorder.path) for folder, recorder in recorders.items() if recorder.path}
        Path(path).write_text(json.dumps(points), encoding="utf-8")


def _not_plain(tag: object, value: object, step: object, wall_time: float) -> int:
    return _core.NOT_PLAIN


def _points(path: str) -> list[list[float]]:
    from seamark.format.messages import Event

    events = [Event.FromString(data) for data in _core.unframe(Path(path).read_bytes())]
    return [[event.wall_time, event.step, value.simple_value] for event in events for value in event.summary.value]
