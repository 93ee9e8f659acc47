"""/api/state: what people decided about their runs, read and changed."""

from __future__ import annotations

from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from seamark.serve import schemas
from seamark.serve.answers import BadRequestError, as_error, as_json, as_tagged_json
from seamark.serve.endpoint import Asked, Endpoint
from seamark.serve.series_query import json_object, read_body
from seamark.serve.state import BadStateError, State, WrongVersionError
from seamark.serve.state_database import StateUnavailableError

UNAVAILABLE = {503: "The saved state cannot be read or changed now, as when another program has locked it."}


def state_endpoints(state: State) -> list[Endpoint]:
    def read(asked: Asked) -> Response:
        try:
            return as_tagged_json(asked.request, state.read())
        except StateUnavailableError as error:
            return as_error(str(error), status_code=503)

    async def patch(asked: Asked) -> Response:
        body = await read_body(asked.request)
        change = await run_in_threadpool(json_object, body)
        version = change.pop("version", None)
        if not isinstance(version, int) or isinstance(version, bool):
            raise BadRequestError("no version given: want the version of the state that the change was made on")
        try:
            return as_json(await run_in_threadpool(state.patch, version, change))
        except BadStateError as error:
            raise BadRequestError(str(error)) from error
        except WrongVersionError as error:
            return as_json({"error": str(error), "state": error.current}, status_code=409)
        except StateUnavailableError as error:
            return as_error(str(error), status_code=503)

    return [
        Endpoint(
            path="/state",
            answer=read,
            schema=schemas.STATE,
            statuses=UNAVAILABLE,
            summary="Names, notes, stars, colours, pins, views, and what dashboards keep.",
        ),
        Endpoint(
            path="/state",
            method="PATCH",
            stream=patch,
            body=schemas.STATE_CHANGE,
            schema=schemas.STATE,
            statuses={
                409: "Somebody else changed it meanwhile; the answer holds the state as it is now.",
                **UNAVAILABLE,
            },
            summary="Merges a change into the state (null removes), if it still has the version named.",
        ),
    ]
