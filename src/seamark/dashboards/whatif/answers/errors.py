"""Errors of examples and models as errors of requests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from seamark.examples.form import PredictError
from seamark.plugin import RequestError
from seamark.tables.column import TableError


@contextmanager
def example_errors() -> Iterator[None]:
    try:
        yield
    except PredictError as error:
        details = {"traceback": error.traceback} if error.traceback else {}
        raise RequestError(str(error), code="undecodable", details=details) from error
    except TableError as error:
        raise RequestError(str(error), code="undecodable") from error
