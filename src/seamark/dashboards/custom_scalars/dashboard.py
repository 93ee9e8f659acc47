"""Custom scalars: charts of several tags, laid out by those who log or by those who look.

/layout  the newest layout of every run, joined; a run whose layout cannot be read is told beside it
/match   the tags that each of some regular expressions finds, or why it finds none
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from seamark.format.types import RunName, Tag
from seamark.kinds import DecodeError
from seamark.kinds.patterns import MAX_SECS, BadPatternError, matching_tags
from seamark.plugin import Context, Dashboard, as_json, read_body
from seamark.store import PayloadGoneError, Store, UnknownSeriesError

KIND = "custom_scalars"
MAX_BODY_BYTES = 4 << 20
MOST_PATTERNS = 2_000


def routes(context: Context) -> Sequence[Route]:
    def layout(_: Request) -> Response:
        return as_json(layout_of(context.store))

    async def match(request: Request) -> Response:
        try:
            patterns = patterns_in(await read_body(request, max_bytes=MAX_BODY_BYTES))
        except ValueError as error:
            return as_json({"error": str(error)}, status_code=400)
        return as_json(await run_in_threadpool(matches, context.store, patterns))

    return [Route("/layout", layout), Route("/match", match, methods=["POST"])]


def layout_of(store: Store) -> dict[str, Any]:
    from seamark.kinds import custom_scalars  # loads protobuf

    found, problems = [], []
    for info in sorted(store.series(kind=KIND), key=lambda info: info.run):
        if info.tag != custom_scalars.TAG:
            continue
        try:
            found.append(custom_scalars.decode(newest(store, info.run, info.tag)))
        except (DecodeError, PayloadGoneError, UnknownSeriesError) as error:
            problems.append({"run": info.run, "error": str(error)})
    return {**custom_scalars.as_json(custom_scalars.merge(found)), "problems": problems}


def newest(store: Store, run: RunName, tag: Tag) -> bytes:
    listed = store.payloads(run, tag, KIND)
    if len(listed) == 0:
        raise PayloadGoneError("its layout is gone")
    return store.payload(run, tag, KIND, int(listed.index[-1]))


def patterns_in(body: bytes) -> list[str]:
    try:
        given = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"the request is not JSON: {error}") from None
    patterns = given.get("patterns") if isinstance(given, dict) else None
    if not isinstance(patterns, list) or not all(isinstance(pattern, str) for pattern in patterns):
        raise ValueError('want {"patterns": [a regular expression, …]}')
    if len(patterns) > MOST_PATTERNS:
        raise ValueError(f"{len(patterns):,} patterns, {MOST_PATTERNS:,} is the most")
    return patterns


def matches(store: Store, patterns: Sequence[str]) -> dict[str, Any]:
    """In the order of the patterns: the tags of any run that each finds, sorted."""
    tags = sorted({info.tag for info in store.series(kind="scalars")})
    deadline = time.monotonic() + MAX_SECS
    found = {pattern: match_of(pattern, tags, deadline) for pattern in dict.fromkeys(patterns)}
    return {"matches": [found[pattern] for pattern in patterns]}


def match_of(pattern: str, tags: Sequence[str], deadline: float) -> dict[str, Any]:
    """A layout may hold thousands of patterns: when the time for all of them is over, the rest is told so."""
    remaining_secs = deadline - time.monotonic()
    if remaining_secs <= 0:
        return {"error": f"the regular expressions before this one took more than {MAX_SECS:.0f} s"}
    try:
        return {"tags": matching_tags(pattern, tags, max_secs=remaining_secs)}
    except BadPatternError as error:
        return {"error": str(error)}


# Also without a layout in the logs: one can be made in the page from any scalars.
dashboard = Dashboard(
    name="custom_scalars", title="Custom scalars", order=25, kinds=("custom_scalars", "scalars"), routes=routes
)
