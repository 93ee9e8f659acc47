"""Range requests, with which a player jumps within a clip."""

from __future__ import annotations

import re
from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import Response

from seamark.plugin import RequestError, error_response

RANGE_PATTERN = re.compile(r"bytes=(\d{0,18})-(\d{0,18})")


def range_response(
    request: Request, body: bytes, *, media_type: str, etag: str, headers: Mapping[str, str]
) -> Response:
    """The requested range (206), the whole body (200), or 416 for a range outside of it."""
    headers = {**headers, "etag": etag, "accept-ranges": "bytes"}
    wanted = parse_range(request, len(body), etag)
    if wanted is None:
        return Response(body, media_type=media_type, headers=headers)
    start, stop = wanted
    if start >= stop:
        error = RequestError(f"the range starts behind the end of {len(body):,} bytes", code="invalid_range")
        return error_response(error, headers={**headers, "content-range": f"bytes */{len(body)}"})
    headers["content-range"] = f"bytes {start}-{stop - 1}/{len(body)}"
    return Response(body[start:stop], 206, media_type=media_type, headers=headers)


def parse_range(request: Request, size: int, etag: str) -> tuple[int, int] | None:
    """Start and stop; None for the whole body, which also answers several ranges and an outdated If-Range."""
    match = RANGE_PATTERN.fullmatch(request.headers.get("range", "").strip())
    if match is None or match[1] == match[2] == "" or request.headers.get("if-range", etag) != etag:
        return None
    if match[1] == "":
        return max(0, size - int(match[2])), size if int(match[2]) else 0
    if match[2] and int(match[2]) < int(match[1]):
        return None
    return int(match[1]), min(size, int(match[2]) + 1) if match[2] else size
