"""Errors of embeddings as errors of requests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from seamark.embeddings.form import EmbeddingError
from seamark.plugin import RequestError


@contextmanager
def embedding_errors() -> Iterator[None]:
    try:
        yield
    except EmbeddingError as error:
        raise RequestError(str(error), code="undecodable") from error
