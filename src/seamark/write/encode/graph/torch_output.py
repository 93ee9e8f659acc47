"""Silences torch.export, which prints its advice to developers of models."""

from __future__ import annotations

import io
import logging
import sys
import threading
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, redirect_stderr
from typing import Any


@contextmanager
def torch_is_quiet() -> Iterator[None]:
    """Discards warnings, and what this thread logs or prints to stderr by way of torch."""
    only_others = _OtherThreads()
    with ExitStack() as stack:
        stack.enter_context(warnings.catch_warnings())
        warnings.simplefilter("ignore")
        if sys.stderr is not None:
            stack.enter_context(redirect_stderr(_StderrOfOthers(sys.stderr)))
        for handler in _torch_handlers():
            handler.addFilter(only_others)
            stack.callback(handler.removeFilter, only_others)
        yield


def _torch_handlers() -> Iterator[logging.Handler]:
    """Most of torch's loggers have a handler of their own."""
    for name, logger in list(logging.root.manager.loggerDict.items()):
        if name.partition(".")[0] == "torch" and isinstance(logger, logging.Logger):
            yield from list(logger.handlers)


class _OtherThreads(logging.Filter):
    def __init__(self) -> None:
        super().__init__()
        self._thread = threading.get_ident()

    def filter(self, record: logging.LogRecord) -> bool:
        return record.thread != self._thread


class _StderrOfOthers(io.TextIOBase):
    """A stderr that discards the output of the thread that made it."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self._thread = threading.get_ident()

    def write(self, text: str) -> int:
        if threading.get_ident() != self._thread:
            self._stream.write(text)
        return len(text)
