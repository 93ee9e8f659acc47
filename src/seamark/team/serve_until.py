"""Responses that end when somebody may no longer see them: the event stream of a page would go on for hours."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from seamark.plugin import RequestError, error_response


async def serve_until(
    ended: Awaitable[object], sentence: str, app: ASGIApp, scope: Scope, receive: Receive, send: Send
) -> None:
    """Lets the application answer until `ended` is done, also by an error. `sentence` answers a request without one."""
    is_started, is_complete = False, False

    async def watched_send(message: Message) -> None:
        nonlocal is_started, is_complete
        is_started = is_started or message["type"] == "http.response.start"
        is_complete = is_complete or (message["type"] == "http.response.body" and not message.get("more_body", False))
        await send(message)

    answer = asyncio.ensure_future(app(scope, receive, watched_send))
    end = asyncio.ensure_future(ended)
    try:
        await asyncio.wait({answer, end}, return_when=asyncio.FIRST_COMPLETED)
        if answer.done():
            answer.result()
            return
    finally:
        for task in (answer, end):
            task.cancel()
        await asyncio.gather(answer, end, return_exceptions=True)
    if not is_started:
        await error_response(RequestError(sentence, code="not_found"))(scope, receive, send)
    elif not is_complete:
        await send({"type": "http.response.body", "body": b"", "more_body": False})
