"""Cancelling predictions: a thread names an event, and its calls of models end soon after the event is set."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Event

from seamark.examples.form import PredictError

_EVENT: ContextVar[Event | None] = ContextVar("cancelled", default=None)


class CancelledError(PredictError):
    """Somebody does not need the predictions any more."""

    def __init__(self) -> None:
        super().__init__("the prediction was cancelled")


@contextmanager
def cancelled_by(event: Event) -> Iterator[None]:
    """Calls of models in this block raise CancelledError once the event is set."""
    token = _EVENT.set(event)
    try:
        yield
    finally:
        _EVENT.reset(token)


def is_cancelled() -> bool:
    event = _EVENT.get()
    return event is not None and event.is_set()


def check_cancelled() -> None:
    if is_cancelled():
        raise CancelledError
