"""Texts, one at a time, as HTML and as they were logged; the whole of one as a file; and a search over all of them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from urllib.parse import quote

import numpy as np
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from seamark.dashboards.text.reading import KIND, LoggedText
from seamark.dashboards.text.search import MAX_MATCHES, Place, search, words_of
from seamark.format.types import RunName, Tag
from seamark.plugin import Context, Dashboard, as_json, parse_index
from seamark.store import PayloadGoneError, Store, UnknownSeriesError


def routes(context: Context) -> Sequence[Route]:
    def entry(request: Request) -> Response:
        """One text: `rows` as logged, `html` as it is shown, and how much of it that is."""
        shown = asked_text(context.store, request).shown()
        return as_json(
            {
                "rows": shown.rows,
                "is_table": shown.is_table,
                "html": shown.html(),
                "size": shown.size,
                "is_cut": shown.is_cut,
                "note": shown.note,
            }
        )

    def download(request: Request) -> Response:
        """The whole text as a file, read from the event file while it is sent."""
        logged = asked_text(context.store, request)
        name = re.sub(r"[^\w.-]+", "_", f"{request.query_params['run']}-{request.query_params['tag']}").strip("_")
        return StreamingResponse(
            logged.pieces(),
            media_type="text/plain; charset=utf-8",
            headers={"content-disposition": f"attachment; filename*=UTF-8''{quote((name or 'text')[:120])}.txt"},
        )

    def find(request: Request) -> Response:
        """Texts that hold all words of `q`. `next` goes on where this answer ended; null says that nothing is left."""
        words = words_of(request.query_params.get("q", ""))
        if not words:
            raise BadQuestionError("no words to search for: want some in q")
        found = search(
            context.store,
            words,
            runs=frozenset(request.query_params.getlist("run")) or None,
            start=read_place(request.query_params.get("from")),
            limit=min(MAX_MATCHES, max(1, read_number(request, "limit", MAX_MATCHES))),
        )
        return as_json(
            {
                "matches": found.matches,
                "searched": found.searched,
                "unread": found.unread,
                "next": None if found.next is None else json.dumps([found.next.run, found.next.tag, found.next.index]),
            }
        )

    return [Route("/entry", told(entry)), Route("/download", told(download)), Route("/search", told(find))]


class BadQuestionError(ValueError):
    """The parameters make no sense; the message says why."""


def told(answer: Callable[[Request], Response]) -> Callable[[Request], Response]:
    """What cannot be answered is said in a sentence."""

    def answered(request: Request) -> Response:
        try:
            return answer(request)
        except (UnknownSeriesError, PayloadGoneError) as error:
            return as_json({"error": str(error)}, 404)
        except BadQuestionError as error:
            return as_json({"error": str(error)}, 400)
        except ValueError as error:  # kinds.DecodeError
            return as_json({"error": f"what the run logged cannot be read: {error}"}, 422)

    answered.__doc__ = answer.__doc__
    return answered


def asked_text(store: Store, request: Request) -> LoggedText:
    given = request.query_params
    missing = [name for name in ("run", "tag", "index") if name not in given]
    if missing:
        raise BadQuestionError(f"no {missing[0]} given")
    run, tag, index = RunName(given["run"]), Tag(given["tag"]), read_number(request, "index", 0)
    listed = store.payloads(run, tag, KIND, attempts="all")
    found = np.flatnonzero(listed.index == index)
    if found.size == 0:
        raise UnknownSeriesError(f"no text {index} of {tag!r}: there are {len(listed.index)} in run '{run}'")
    return LoggedText(store, run, tag, index, length=int(listed.lengths[found[0]]))


def read_number(request: Request, name: str, default: int) -> int:
    text = request.query_params.get(name, str(default))
    number = parse_index(text)
    if number is None:
        raise BadQuestionError(f"{name} is not a number: got {text[:40]!r}")
    return number


def read_place(text: str | None) -> Place | None:
    if text is None:
        return None
    try:
        run, tag, index = json.loads(text)
        return Place(str(run), str(tag), int(index))
    except (ValueError, TypeError):
        raise BadQuestionError(f"'from' is not what an answer gave as 'next': got {text!r}") from None


dashboard = Dashboard(name="text", title="Text", order=50, kinds=("text",), routes=routes)
