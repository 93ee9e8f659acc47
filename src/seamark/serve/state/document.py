"""The document that holds the saved state of a log directory, and how a change is merged into it."""

from __future__ import annotations

import json
from typing import Any

from seamark.serve.state.storage import InvalidStateError

MAX_DOCUMENT_BYTES = 8 << 20
MAX_DEPTH = 50
MAX_VERSION = 2**53
MAX_TAGS = 200
MAX_TAG_LENGTH = 200
EMPTY: dict[str, Any] = {"runs": {}, "pins": [], "views": {}, "dashboards": {}}


class BadStateError(ValueError):
    """The change cannot be saved; the message says why."""


def parse_document(version: object, text: object) -> dict[str, Any]:
    """The document as it was saved. Anything that this program does not write counts as damage."""
    try:
        body: dict[str, Any] | None = json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        body = None
    is_ours = (
        isinstance(version, int)
        and 0 <= version < MAX_VERSION
        and isinstance(body, dict)
        and all(isinstance(body.get(name, empty), type(empty)) for name, empty in EMPTY.items())
        and all(isinstance(fields, dict) for fields in body.get("runs", {}).values())
    )
    if not is_ours or body is None:
        raise InvalidStateError("the document of a log directory is invalid")
    return body


def format_document(document: dict[str, Any]) -> str:
    body = json.dumps({name: document[name] for name in EMPTY})
    if len(body) > MAX_DOCUMENT_BYTES:
        raise BadStateError(f"the state would have {len(body):,} bytes, the limit is {MAX_DOCUMENT_BYTES:,}")
    return body


def merge(document: Any, change: Any) -> Any:
    """RFC 7396: objects merge, None removes, everything else replaces."""
    if not isinstance(change, dict):
        return change
    result = dict(document) if isinstance(document, dict) else {}
    for name, value in change.items():
        if value is None:
            result.pop(name, None)
        else:
            result[name] = merge(result.get(name), value)
    return result


def check_depth(change: dict[str, Any]) -> None:
    """Level by level, since a change may be nested too deeply for recursion."""
    depth, level = 0, [change]
    while level:
        depth += 1
        if depth > MAX_DEPTH:
            raise BadStateError(f"the change is nested too deeply, the limit is {MAX_DEPTH} levels")
        level = [
            entry
            for container in level
            if isinstance(container, dict | list)
            for entry in (container.values() if isinstance(container, dict) else container)
        ]
