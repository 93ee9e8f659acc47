"""JSON responses of scalar points, joined from JSON text."""

from __future__ import annotations

from collections.abc import Iterable

from seamark.format import points_json
from seamark.plugin import json_bytes
from seamark.store import ScalarPoints


def rows_json(points: ScalarPoints) -> bytes:
    """[[wall time, step, value], …]"""
    return points_json.rows_json(points.walls, points.steps, points.values)


def objects_json(points: ScalarPoints) -> bytes:
    """[{"wallTime": …, "step": …, "value": …}, …]"""
    return points_json.objects_json(points.walls, points.steps, points.values)


def json_object(members: Iterable[tuple[str, bytes]]) -> bytes:
    """An object whose values are JSON text already."""
    return b"{" + b",".join(json_bytes(name) + b":" + value for name, value in members) + b"}"
