"""/api/events: changes, as server-sent events."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta
from starlette.responses import Response, StreamingResponse

from seamark.plugin import Endpoint, ParsedRequest, RequestStruct
from seamark.serve.live.live import Live

EVENT_STREAM = "text/event-stream"
# In the scope: whose page it is, for messages that only they get (Live.announce).
AUDIENCE_KEY = "seamark.audience"


class EventsParameters(RequestStruct):
    since: Annotated[
        str | None, Meta(description="The last cursor received: the messages after it are sent first.")
    ] = None


def event_endpoints(live: Live) -> list[Endpoint]:
    async def events(request: ParsedRequest[EventsParameters, None]) -> Response:
        since = request.http.headers.get("last-event-id") or request.parameters.since
        headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
        if request.http.method == "HEAD":  # a stream would never end
            return Response(media_type=EVENT_STREAM, headers=headers)
        audience = request.http.scope.get(AUDIENCE_KEY, "")
        return StreamingResponse(live.messages(since, audience), media_type=EVENT_STREAM, headers=headers)

    return [
        Endpoint(
            path="/events",
            summary="Changes of runs, series and saved state, while they happen.",
            handler=events,
            media_type=EVENT_STREAM,
        )
    ]
