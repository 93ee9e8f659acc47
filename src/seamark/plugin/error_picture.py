"""A sentence as a picture: an <img> shows no other answer, and a browser logs a line for each error that it gets."""

from __future__ import annotations

import textwrap
from html import escape

from starlette.requests import Request
from starlette.responses import Response

from seamark.plugin.errors import RequestError
from seamark.plugin.response import NO_STORE

LINE_LENGTH = 34
MAX_LINES = 7
# Grey reads on light and dark pages.
SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="320" height="180" viewBox="0 0 320 180" '
    'font-family="system-ui, sans-serif" font-size="15" fill="#808890" text-anchor="middle">{lines}</svg>'
)


def wants_picture(request: Request) -> bool:
    """Whether an <img> of a page sends this request, as every present browser says."""
    return request.headers.get("sec-fetch-dest") == "image"


def error_picture(error: RequestError) -> Response:
    """With status 200, though the thing itself could not be read: the sentence is what is shown."""
    words = textwrap.wrap(f"Not shown: {error}", LINE_LENGTH, max_lines=MAX_LINES, placeholder=" …")
    first = 90 - 10 * (len(words) - 1)
    lines = "".join(f'<text x="160" y="{first + 20 * at}">{escape(line)}</text>' for at, line in enumerate(words))
    return Response(SVG.format(lines=lines), media_type="image/svg+xml", headers=dict(NO_STORE))
