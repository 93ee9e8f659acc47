"""What tensorboardX's writer has beyond torch's: a step and a time for all calls in a block, and its export as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import Any

from seamark import _core
from seamark.write.base import WriterBase
from seamark.write.recorder import Recorder


class TensorboardXOnly(WriterBase):
    _key_recorders: dict[str, Recorder]
    _scalar: Any

    @contextmanager
    def use_metadata(self, *, global_step: Any = None, walltime: float | None = None) -> Iterator[None]:
        """Within the block, calls that name no step or time have these."""
        before = self._scalar, self._default_step, self._default_walltime
        # Off the fast path, which knows no defaults.
        self._scalar = _not_plain
        self._default_step, self._default_walltime = global_step, walltime
        try:
            yield
        finally:
            self._scalar, self._default_step, self._default_walltime = before

    def export_scalars_to_json(self, path: str | PathLike[str]) -> None:
        """What add_scalars() has logged since the last close(): {folder: [[time, step, value], …]}."""
        for recorder in self._key_recorders.values():
            recorder.flush()
        found = {folder: _points(recorder.path) for folder, recorder in self._key_recorders.items() if recorder.path}
        Path(path).write_text(json.dumps(found), encoding="utf-8")


def _not_plain(tag: object, value: object, step: object, wall_time: float) -> int:
    return _core.NOT_PLAIN


def _points(path: str) -> list[list[float]]:
    from seamark.format.messages import Event

    data, at, points = Path(path).read_bytes(), 0, []
    while at < len(data):
        end = at + 12 + int.from_bytes(data[at : at + 8], "little")
        event = Event.FromString(data[at + 12 : end])
        points += [[event.wall_time, event.step, value.simple_value] for value in event.summary.value]
        at = end + 4
    return points
