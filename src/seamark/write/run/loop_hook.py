"""The shape of a hook: called per step, entered as a context, or wrapped around what the loop goes over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import Any, Self, TypeVar

from seamark.write.run import current
from seamark.write.warn_once import WarnOnce

Item = TypeVar("Item")


class LoopHook:
    """`hook()` after each step, `with hook: …` around the loop, `for batch in hook.wrap(loader): …` instead of both."""

    def __init__(self, target: Any) -> None:
        self._target = target
        self._steps = 0
        self._warnings = WarnOnce(type(self).__name__)

    def __call__(self, step: int | None = None, **options: Any) -> None:
        """One step is done; `step` is its number, counted from the first call when left out."""
        self._steps = self._steps + 1 if step is None else int(step)
        with self._warnings.guarded("hook", f"{type(self).__name__} failed and does nothing for this step"):
            self.after_step(self._steps, **options)

    def wrap(self, items: Iterable[Item]) -> Iterator[Item]:
        with self:
            for item in items:
                yield item
                self(batch_size=len_of(item)) if self.wants_batch_size else self()

    wants_batch_size = False

    def after_step(self, step: int, **options: Any) -> None:
        raise NotImplementedError

    def begin(self) -> None:
        """Before the first step, where the loop says so."""

    def end(self) -> None:
        """After the last."""

    def __enter__(self) -> Self:
        with self._warnings.guarded("begin", f"{type(self).__name__} could not begin"):
            self.begin()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._warnings.guarded("end", f"{type(self).__name__} could not end"):
            self.end()

    def _writer(self) -> Any:
        """The writer that was given, or that of the run; None where nothing is written."""
        target = self._target if self._target is not None else current.current_run()
        return getattr(target, "writer", None) if hasattr(target, "finish") else target


def len_of(batch: Any) -> int | None:
    """How many examples a batch has: its own length, or that of its first part."""
    part = batch
    if isinstance(batch, dict) and batch:
        part = next(iter(batch.values()))
    elif isinstance(batch, tuple | list) and batch:
        part = batch[0] if hasattr(batch[0], "shape") or isinstance(batch[0], tuple | list) else batch
    shape = getattr(part, "shape", None)
    if shape is not None:
        return int(shape[0]) if len(shape) else None
    return len(part) if hasattr(part, "__len__") else None
