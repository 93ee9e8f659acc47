"""Routes of Text: one text as HTML and as logged, the whole of it as a file, and the search."""

from __future__ import annotations

import json
import re
from typing import Annotated, Any
from urllib.parse import quote

import msgspec
import numpy as np
from msgspec import Meta
from starlette.responses import Response, StreamingResponse

from seamark.dashboards.text.logged_text import KIND, LoggedText
from seamark.dashboards.text.search import MAX_MATCHES, TextPosition, search, split_words
from seamark.format.types import RunName
from seamark.plugin import (
    Context,
    Endpoint,
    ErrorCase,
    ParsedRequest,
    RequestError,
    RequestStruct,
    ResponseStruct,
    not_found,
)
from seamark.plugin.parameters import Index, PayloadIndex, RunParameter, TagParameter
from seamark.store import RunStore

ERRORS = {404: ErrorCase("There is no such text."), 422: ErrorCase("The payload cannot be decoded.")}


class TextParameters(RequestStruct):
    run: RunParameter
    tag: TagParameter
    index: PayloadIndex


class EntryResponse(ResponseStruct):
    """`rows` is the text as logged, one cell if it is a single string; `size` the bytes of all of it."""

    rows: list[list[str]]
    is_table: bool
    html: str
    size: int
    is_cut: bool
    note: str


class SearchParameters(RequestStruct):
    q: Annotated[str, Meta(description="Words that all have to occur; a phrase in double quotes counts as one.")] = ""
    run: Annotated[tuple[RunName, ...], Meta(description="Only these runs; repeat it for several.")] = ()
    start: Annotated[str | None, Meta(description="`next` of the response before this one.")] = msgspec.field(
        name="from", default=None
    )
    limit: Annotated[Index, Meta(description="At most so many matches.")] = MAX_MATCHES


class SearchResponse(ResponseStruct):
    """`next` continues the search; null means that no texts are left. `unread` counts texts that cannot be read."""

    matches: list[dict[str, Any]]
    searched: int
    unread: int
    next: str | None


def endpoints(context: Context) -> list[Endpoint]:
    def entry(request: ParsedRequest[TextParameters, None]) -> EntryResponse:
        shown = find_text(context.store, request.parameters).excerpt()
        return EntryResponse(shown.rows, shown.is_table, shown.html(), shown.size, shown.is_cut, shown.note)

    def download(request: ParsedRequest[TextParameters, None]) -> Response:
        parameters = request.parameters
        name = re.sub(r"[^\w.-]+", "_", f"{parameters.run}-{parameters.tag}").strip("_") or "text"
        return StreamingResponse(
            find_text(context.store, parameters).chunks(),
            media_type="text/plain; charset=utf-8",
            headers={"content-disposition": f"attachment; filename*=UTF-8''{quote(name[:120])}.txt"},
        )

    def find(request: ParsedRequest[SearchParameters, None]) -> SearchResponse:
        parameters = request.parameters
        words = split_words(parameters.q)
        if not words:
            raise RequestError("no words to search for: want some in 'q'", code="invalid_parameter")
        found = search(
            context.store,
            words,
            runs=frozenset(parameters.run) or None,
            start=None if parameters.start is None else decode_position(parameters.start),
            limit=min(MAX_MATCHES, max(1, parameters.limit)),
        )
        next_text = None if found.next is None else encode_position(found.next)
        return SearchResponse(found.matches, found.searched, found.unread, next_text)

    return [
        Endpoint(
            path="/entry",
            summary="One text, as HTML and as it was logged. Long ones are cut.",
            handler=entry,
            errors=ERRORS,
        ),
        Endpoint(
            path="/download",
            summary="One text as a file, whole.",
            handler=download,
            media_type="text/plain",
            errors=ERRORS,
        ),
        Endpoint(
            path="/search",
            summary="The texts that contain some words.",
            handler=find,
        ),
    ]


def find_text(store: RunStore, parameters: TextParameters) -> LoggedText:
    listed = store.payloads(parameters.run, parameters.tag, KIND, attempts="all")
    found = np.flatnonzero(listed.index == parameters.index)
    if found.size == 0:
        raise not_found(
            f"no text {parameters.index} of '{parameters.tag}': the run '{parameters.run}' has {len(listed.index)}"
        )
    return LoggedText(store, parameters.run, parameters.tag, parameters.index, length=int(listed.lengths[found[0]]))


def encode_position(position: TextPosition) -> str:
    return json.dumps([position.run, position.tag, position.index])


def decode_position(text: str) -> TextPosition:
    try:
        run, tag, index = json.loads(text)
        return TextPosition(str(run), str(tag), int(index))
    except (ValueError, TypeError, RecursionError):
        message = f"'from' is not the 'next' of an earlier response: got {text[:200]!r}"
        raise RequestError(message, code="invalid_parameter") from None
