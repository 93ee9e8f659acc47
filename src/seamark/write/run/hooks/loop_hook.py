"""The base of hooks for training loops: called per step, used as a context, or wrapped around a loader."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import Any, Self, TypeVar

from seamark.write.queue.warn_once import WarnOnce
from seamark.write.run import current

Item = TypeVar("Item")

logger = logging.getLogger(__name__)


class LoopHook:
    """Call `hook()` after each step and `with hook: …` around the loop, or use `for batch in hook.wrap(loader): …`."""

    def __init__(self, target: Any) -> None:
        self._target = target
        self._steps = 0
        self._warn_once = WarnOnce(logger, type(self).__name__)

    def __call__(self, step: int | None = None, **options: Any) -> None:
        """Call it after each step. `step` is the number of the step; without one, calls are counted."""
        self._steps = self._steps + 1 if step is None else int(step)
        try:
            self.after_step(self._steps, **options)
        except Exception as error:
            self._warn_once.warn_of(error, "hook", f"{type(self).__name__} failed at this step")

    def wrap(self, items: Iterable[Item]) -> Iterator[Item]:
        with self:
            for item in items:
                yield item
                self(batch_size=batch_length(item)) if self.wants_batch_size else self()

    wants_batch_size = False

    def after_step(self, step: int, **options: Any) -> None:
        raise NotImplementedError

    def begin(self) -> None:
        """Called before the first step, if the hook is used as a context."""

    def end(self) -> None:
        """Called after the last step."""

    def __enter__(self) -> Self:
        with self._warn_once.guard("begin", f"{type(self).__name__} could not begin"):
            self.begin()
        return self

    def __exit__(
        self, error_type: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._warn_once.guard("end", f"{type(self).__name__} could not end"):
            self.end()

    def _writer(self) -> Any:
        """The given writer, or that of the given or current run; None if nothing is written."""
        target = self._target if self._target is not None else current.current_run()
        return getattr(target, "writer", None) if hasattr(target, "finish") else target


def batch_length(batch: Any) -> int | None:
    """The number of examples in a batch: its length, or that of its first part."""
    part = batch
    if isinstance(batch, dict) and batch:
        part = next(iter(batch.values()))
    elif isinstance(batch, tuple | list) and batch:
        part = batch[0] if hasattr(batch[0], "shape") or isinstance(batch[0], tuple | list) else batch
    shape = getattr(part, "shape", None)
    if shape is not None:
        return int(shape[0]) if len(shape) else None
    return len(part) if hasattr(part, "__len__") else None
