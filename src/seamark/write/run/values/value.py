"""Value: the base of the wrappers for logged values."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from seamark.write.writer.summary_writer import SummaryWriter


class Value:
    """Holds a copy of its data: the program may change its own afterwards.

    Bad data does not raise in the constructor, which would stop the training: `run.log` reports it once.
    """

    error: Exception | None = None

    @contextmanager
    def deferred_error(self) -> Iterator[None]:
        try:
            yield
        except Exception as error:
            self.error = error

    def check(self) -> None:
        if self.error is not None:
            raise self.error

    def write(self, writer: SummaryWriter, tag: str, step: int) -> None:
        raise NotImplementedError
