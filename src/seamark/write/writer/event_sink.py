"""EventSink: turns values into events and adds them to a recorder. Every writer logs through one."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from seamark import _core
from seamark.write.queue.recorder import Recorder

if TYPE_CHECKING:
    from seamark.kinds.event import Values


class EventSink:
    """Without a recorder (not the chief process, or write_to_disk=False) it discards everything."""

    def __init__(self, recorder: Recorder | None) -> None:
        self.recorder = recorder
        # Native, for the common types of arguments. Pass every status but 0 to `finish_scalar`.
        self.add_plain_scalar: Callable[[Any, Any, Any, float], int] = (
            _discard if recorder is None else recorder.add_scalar
        )
        # Used by calls without a step or a time.
        self._default_step: Any = None
        self._default_wall_time: float | None = None

    @property
    def writes(self) -> bool:
        return self.recorder is not None

    def add(self, values: Values, step: Any = None, wall_time: float | None = None) -> None:
        """Encodes small values at once."""
        if self.recorder is not None:
            from seamark.kinds.event import summary_event

            event = summary_event(values, step=self.step_of(step), wall_time=self.wall_time_of(wall_time))
            self.recorder.add_event(event)

    def add_later(
        self, encode: Callable[[], Values], nbytes: int, step: Any = None, wall_time: float | None = None
    ) -> None:
        """Calls `encode` in the background. It must hold copies of its data, of `nbytes` in total."""
        if self.recorder is not None:
            from seamark.kinds.event import summary_event

            at, now = self.step_of(step), self.wall_time_of(wall_time)
            self.recorder.add_payload(lambda: summary_event(encode(), step=at, wall_time=now), nbytes)

    def add_scalar(self, tag: Any, value: Any, step: Any = None, wall_time: float | None = None) -> None:
        """Takes any tag, number and step that can be converted."""
        self.finish_scalar(_core.NOT_PLAIN, tag, value, step, wall_time)

    def finish_scalar(self, status: int, tag: Any, value: Any, step: Any, wall_time: float | None) -> None:
        """Handles a status of `add_plain_scalar` that is not 0: converts the arguments, or wakes the thread."""
        if self.recorder is None:
            return
        if status == _core.NOT_PLAIN:
            from seamark.write.encode.arrays import as_number

            status = self.recorder.add_scalar(
                str(tag), as_number(value), self.step_of(step), self.wall_time_of(wall_time)
            )
        if status:
            self.recorder.signal(status)

    def add_event(self, event: bytes) -> None:
        """Adds a serialized Event."""
        if self.recorder is not None:
            self.recorder.add_event(event)

    def step_of(self, step: Any) -> int:
        return as_step(self._default_step if step is None else step)

    def wall_time_of(self, wall_time: float | None) -> float:
        chosen = self._default_wall_time if wall_time is None else wall_time
        return time.time() if chosen is None else float(chosen)

    @contextmanager
    def defaults(self, *, step: Any, wall_time: float | None) -> Iterator[None]:
        """Within the block, calls without a step or a time use these."""
        before = self._default_step, self._default_wall_time
        self._default_step, self._default_wall_time = step, wall_time
        try:
            yield
        finally:
            self._default_step, self._default_wall_time = before

    def flush(self) -> None:
        if self.recorder is not None:
            self.recorder.flush()

    def close(self) -> None:
        if self.recorder is not None:
            self.recorder.close()

    @property
    def dropped(self) -> int:
        return 0 if self.recorder is None else self.recorder.dropped

    def warn_once(self, key: str, problem: str) -> None:
        if self.recorder is not None:
            self.recorder.warn_once.warn(key, problem)


def as_step(step: Any) -> int:
    """As in torch: any value that int() accepts; None is step 0."""
    return 0 if step is None else int(step)


as_step.__dict__["autograph_info__"] = {}  # see as_number


def _discard(tag: object, value: object, step: object, wall_time: float) -> int:
    return _core.ADD_QUEUED
