"""What every group of the SummaryWriter's methods stands on: a run's folder, its recorder, and values into events."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from seamark.write.recorder import Recorder

if TYPE_CHECKING:
    from seamark.format.messages import Summary
    from seamark.kinds.custom_scalars import Layout

    Values: TypeAlias = Summary.Value | Sequence[Summary.Value]


class WriterBase:
    log_dir: str
    _recorder: Recorder | None  # None where nothing is written: not the chief, or write_to_disk=False
    # For calls that name none.
    _default_step: Any = None
    _default_walltime: float | None = None

    def _recorder_of(self, folder: str) -> Recorder:
        """A recorder for another run, with this writer's settings."""
        raise NotImplementedError

    def _add_layout(self, layout: Layout) -> None:
        """Tells viewers which scalars belong in one chart."""
        raise NotImplementedError

    def _add(self, values: Values, global_step: Any, walltime: float | None) -> None:
        """Small values: encoded here and now."""
        if self._recorder is not None:
            self._recorder.add_event(event_of(values, self._step(global_step), self._wall(walltime)))

    def _add_later(self, make: Callable[[], Values], nbytes: int, global_step: Any, walltime: float | None) -> None:
        """Large values: `make` runs in the background, and holds copies of what it needs, of `nbytes` together."""
        if self._recorder is not None:
            step, wall_time = self._step(global_step), self._wall(walltime)
            self._recorder.add_payload(lambda: event_of(make(), step, wall_time), nbytes)

    def _step(self, global_step: Any) -> int:
        return as_step(self._default_step if global_step is None else global_step)

    def _wall(self, walltime: float | None) -> float:
        chosen = self._default_walltime if walltime is None else walltime
        return time.time() if chosen is None else float(chosen)

    def _warn_once(self, kind: str, what: str) -> None:
        if self._recorder is not None:
            self._recorder.warnings.warn(kind, what)


def as_step(step: Any) -> int:
    """As in torch: whatever int() takes, and no step is step 0."""
    return 0 if step is None else int(step)


as_step.__dict__["autograph_info__"] = {}  # see as_number


def event_of(values: Values, step: int, wall_time: float) -> bytes:
    """A serialized Event holding the values."""
    from seamark.format.messages import Event, Summary

    several = [values] if isinstance(values, Summary.Value) else values
    return Event(step=step, wall_time=wall_time, summary=Summary(value=several)).SerializeToString()
