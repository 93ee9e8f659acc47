"""Routes of Custom scalars: the merged layout of all runs, and the tags that match its patterns."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Annotated, Any

from msgspec import UNSET, Meta, UnsetType

from seamark.format.patterns import MAX_SECS, BadPatternError, matching_tags
from seamark.format.types import RunName, Tag
from seamark.kinds import DecodeError
from seamark.plugin import Context, Endpoint, NoParameters, ParsedRequest, RequestStruct, ResponseStruct
from seamark.store import PayloadGoneError, RunStore, UnknownSeriesError

KIND = "custom_scalars"
MAX_BODY_BYTES = 4 << 20
MAX_PATTERNS = 2_000


class LayoutProblem(ResponseStruct):
    """A run whose layout cannot be read."""

    run: RunName
    error: str


class LayoutResponse(ResponseStruct):
    """`version` and `category` are as in TensorBoard's layout message."""

    version: int
    category: list[dict[str, Any]]
    problems: list[LayoutProblem]


class MatchBody(RequestStruct):
    patterns: Annotated[tuple[str, ...], Meta(max_length=MAX_PATTERNS, description="Regular expressions.")]


class PatternMatch(ResponseStruct):
    """The tags that a pattern matches, sorted; or why it matches none."""

    tags: list[str] | UnsetType = UNSET
    error: str | UnsetType = UNSET


class MatchResponse(ResponseStruct):
    """In the order of the patterns."""

    matches: list[PatternMatch]


def endpoints(context: Context) -> list[Endpoint]:
    def layout(_: ParsedRequest[NoParameters, None]) -> LayoutResponse:
        return merged_layout(context.store)

    def match(request: ParsedRequest[NoParameters, MatchBody]) -> MatchResponse:
        return match_patterns(context.store, request.body.patterns)

    return [
        Endpoint(
            path="/layout",
            summary="The newest layouts of all runs, merged into one.",
            handler=layout,
        ),
        Endpoint(
            path="/match",
            method="POST",
            summary="The tags of any run that match each of some regular expressions.",
            handler=match,
            max_body_bytes=MAX_BODY_BYTES,
        ),
    ]


def merged_layout(store: RunStore) -> LayoutResponse:
    from seamark.kinds import custom_scalars  # loads protobuf

    found, problems = [], []
    for info in sorted(store.series(kind=KIND), key=lambda info: info.run):
        if info.tag != custom_scalars.TAG:
            continue
        try:
            found.append(custom_scalars.decode(newest_payload(store, info.run, info.tag)))
        except (DecodeError, PayloadGoneError, UnknownSeriesError) as error:
            problems.append(LayoutProblem(info.run, str(error)))
    merged: Any = custom_scalars.as_json(custom_scalars.merge(found))
    return LayoutResponse(merged["version"], merged["category"], problems)


def newest_payload(store: RunStore, run: RunName, tag: Tag) -> bytes:
    listed = store.payloads(run, tag, KIND)
    if len(listed) == 0:
        raise PayloadGoneError("the layout was removed")
    return store.payload(run, tag, KIND, int(listed.index[-1]))


def match_patterns(store: RunStore, patterns: Sequence[str]) -> MatchResponse:
    tags = sorted({info.tag for info in store.series(kind="scalars")})
    deadline = time.monotonic() + MAX_SECS
    found = {pattern: match_pattern(pattern, tags, deadline) for pattern in dict.fromkeys(patterns)}
    return MatchResponse([found[pattern] for pattern in patterns])


def match_pattern(pattern: str, tags: Sequence[str], deadline: float) -> PatternMatch:
    """A layout may have thousands of patterns. They share one deadline; after it the rest gets an error."""
    remaining_secs = deadline - time.monotonic()
    if remaining_secs <= 0:
        return PatternMatch(error=f"the regular expressions before this one took more than {MAX_SECS:.0f} s")
    try:
        return PatternMatch(tags=matching_tags(pattern, tags, max_secs=remaining_secs))
    except BadPatternError as error:
        return PatternMatch(error=str(error))
