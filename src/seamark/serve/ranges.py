"""Range requests: a player jumps into a clip without fetching all of it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import Response

RANGE_FORM = re.compile(r"bytes=(\d{0,18})-(\d{0,18})")


def ranged(request: Request, body: bytes, *, media_type: str, etag: str, headers: Mapping[str, str]) -> Response:
    """The part asked for (206), all of it (200), or 416 when there is no such part."""
    told = {**headers, "etag": etag, "accept-ranges": "bytes"}
    wanted = asked_range(request, len(body), etag)
    if wanted is None:
        return Response(body, media_type=media_type, headers=told)
    start, stop = wanted
    if start >= stop:
        return Response(status_code=416, headers={**told, "content-range": f"bytes */{len(body)}"})
    told["content-range"] = f"bytes {start}-{stop - 1}/{len(body)}"
    return Response(body[start:stop], 206, media_type=media_type, headers=told)


def asked_range(request: Request, size: int, etag: str) -> tuple[int, int] | None:
    """Start and stop; None for everything, which is also the answer to several ranges and to an outdated If-Range."""
    match = RANGE_FORM.fullmatch(request.headers.get("range", "").strip())
    if match is None or match[1] == match[2] == "" or request.headers.get("if-range", etag) != etag:
        return None
    if match[1] == "":
        return max(0, size - int(match[2])), size if int(match[2]) else 0
    if match[2] and int(match[2]) < int(match[1]):
        return None
    return int(match[1]), min(size, int(match[2]) + 1) if match[2] else size
