"""Answers in JSON, also when a number is none JSON knows or the question was wrong."""

from __future__ import annotations

import json
import math
from typing import Any

from starlette.responses import Response


class BadRequestError(Exception):
    """The question cannot be answered; the message tells the asker why, in one sentence."""


def as_json(content: object, *, status_code: int = 200) -> Response:
    return Response(
        json_bytes(content), status_code, media_type="application/json", headers={"cache-control": "no-store"}
    )


def as_error(message: str, *, status_code: int) -> Response:
    return as_json({"error": message}, status_code=status_code)


def json_bytes(content: object) -> bytes:
    """NaN and infinities are strings, as in TensorBoard's answers; a browser refuses them as numbers."""
    try:
        text = json.dumps(content, separators=(",", ":"), allow_nan=False)
    except ValueError:
        text = json.dumps(speakable(content), separators=(",", ":"), allow_nan=False)
    return text.encode("ascii")


def speakable(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, dict):
        return {key: speakable(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [speakable(entry) for entry in value]
    return value
