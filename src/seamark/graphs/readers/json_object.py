"""Decodes a JSON object that may be hostile."""

from __future__ import annotations

from typing import Any

import msgspec

from seamark.graphs.form import GraphError


def json_object(data: bytes) -> dict[str, Any]:
    try:
        found = msgspec.json.decode(data)
    except RecursionError as error:
        raise GraphError("the JSON is nested too deeply to be read") from error
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise GraphError(f"the file is no JSON: {error}") from error
    if not isinstance(found, dict):
        raise GraphError("the JSON is no object, so it is no graph")
    return found
