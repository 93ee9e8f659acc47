"""ResultCache: what analyses found, stored beside the trace, so that a second open computes nothing."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from seamark.format.cache_folder import mark_used, replacing

LOG = logging.getLogger(__name__)
SUFFIX = ".result"
# To be raised when an analysis finds something else in the same trace.
VERSION = 4

T = TypeVar("T")


class ResultCache:
    """Of one trace. `stem` is the path of its files without suffix; `types` has the analyses that are stored."""

    def __init__(self, stem: Path, types: Mapping[Callable[..., Any], type]) -> None:
        self._stem, self._types = stem, types

    def get(self, analyse: Callable[..., T], compute: Callable[[], T]) -> T:
        """The stored result, else a computed one, which is stored."""
        type = self._types.get(analyse)
        if type is None:
            return compute()
        path = self._stem.with_name(f"{self._stem.name}.{analyse.__name__}.{VERSION}{SUFFIX}")
        try:
            found: T = msgspec.json.decode(path.read_bytes(), type=type)
            mark_used(path)
            return found
        except (OSError, msgspec.MsgspecError):
            pass  # not there, or of another version
        found = compute()
        try:
            with replacing(path) as file:
                file.write(msgspec.json.encode(found))
        except OSError as error:
            LOG.warning("cannot cache what was found in a profile (%s): '%s'", error.strerror or error, path)
        return found
