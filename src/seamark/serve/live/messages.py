"""The format of server-sent events, and the JSON of a change."""

from __future__ import annotations

from typing import Any

from seamark.plugin import json_bytes
from seamark.store import Delta


def format_message(event: str, content: dict[str, Any], *, cursor: str | None = None) -> bytes:
    head = f"id: {cursor}\n" if cursor is not None else ""
    return b"%sevent: %s\ndata: %s\n\n" % (head.encode(), event.encode(), json_bytes(content))


def resync_json(version: int) -> dict[str, Any]:
    """A change that tells the page to request everything again."""
    return change_json(Delta(version=version)) | {"resync": True}


def change_json(delta: Delta, lists: dict[str, Any] | None = None) -> dict[str, Any]:
    """The JSON of a change: runs and series by name, without their points; and the changed entries of the lists.

    Without `lists`, a page requests the lists again, and after a change of runs the series, too.
    """
    return {
        "version": delta.version,
        "runs_added": sorted(delta.runs_added),
        "runs_removed": sorted(delta.runs_removed),
        "runs_reset": sorted(delta.runs_reset),
        "resync": lists is None and bool(delta.runs_added or delta.runs_removed or delta.runs_reset),
        "runs": sorted(delta.scalars),
        "tags": sorted({tag for tags in delta.scalars.values() for tag in tags}),
        "payloads": [
            {"run": run, "kind": kind, "tag": tag}
            for run, keys in sorted(delta.payloads.items())
            for kind, tag in sorted(keys)
        ],
        "lists": lists,
    }
