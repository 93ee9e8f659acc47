"""Commands run in the process of the tests: the logger is as before after each."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def restored_logger() -> Iterator[None]:
    logger = logging.getLogger("seamark")
    level, handlers = logger.level, list(logger.handlers)
    yield
    logger.setLevel(level)
    logger.handlers[:] = handlers
