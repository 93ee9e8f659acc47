"""Decodes a JSON object that may be hostile."""

from __future__ import annotations

from typing import Any

import msgspec

from seamark.format.budget import hold
from seamark.graphs.form import GraphError

# Of an object, an array or a string: what starts, separates or names a value has one character.
VALUE_BYTES = 64


def count_values(data: bytes) -> None:
    """Counts the memory that the values in a JSON text take, before they are made: "{}," has three bytes."""
    hold(VALUE_BYTES * sum(map(data.count, (b"{", b"[", b",", b":"))))


def json_object(data: bytes) -> dict[str, Any]:
    count_values(data)
    try:
        found = msgspec.json.decode(data)
    except RecursionError as error:
        raise GraphError("the JSON is nested too deeply to be read") from error
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise GraphError(f"the file is no JSON: {error}") from error
    if not isinstance(found, dict):
        raise GraphError("the JSON is no object, so it is no graph")
    return found
