"""Endpoint: a route with its parameters, body and response as types, from which it is validated and described."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import nullcontext
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from seamark.kinds import DecodeError
from seamark.plugin.error_picture import error_picture, wants_picture
from seamark.plugin.errors import RequestError, not_found, undecodable
from seamark.plugin.handler_types import HandlerTypes, handler_types
from seamark.plugin.pools import Pool, WorkerPools
from seamark.plugin.request import (
    MAX_BODY_BYTES,
    ParsedRequest,
    parse_body,
    parse_parameters,
    read_body,
)
from seamark.plugin.response import JSON, ErrorResponse, error_response, etag_json_response, json_response
from seamark.plugin.uploads import received
from seamark.store import (
    NotSupportedError,
    PayloadAwayError,
    PayloadGoneError,
    StoreUnavailableError,
    UnknownSeriesError,
)

# Set in the scope of a request from somebody who may only look: why, as a sentence.
READ_ONLY_KEY = "seamark.read_only"
# A longer body takes long enough to parse that it is parsed off the event loop.
SMALL_BODY_BYTES = 4096
# Only a few of longer ones are held at a time.
LARGE_BODY_BYTES = 256 << 10


class ErrorCase(msgspec.Struct, frozen=True):
    """A status of a route, besides 200 and 400, as the description of the API lists it."""

    description: str
    response: type[msgspec.Struct] | None = ErrorResponse


class Endpoint(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """One method of one route. What it takes and returns is in the annotations of its handler: see HandlerTypes.

    The handler returns a Starlette response, bytes or text of `media_type`, or content that is sent as JSON. A plain
    function runs in a thread of `pool`, an async function on the event loop. It may raise RequestError; the store's
    UnknownSeriesError and PayloadGoneError become 404, a DecodeError 422, its NotSupportedError 501, its
    PayloadAwayError and StoreUnavailableError 503, or for an <img> a picture of the sentence.
    """

    path: str
    summary: str
    handler: Callable[[ParsedRequest[Any, Any]], Any]
    method: Literal["GET", "POST", "PATCH", "PUT", "DELETE"] = "GET"
    changes: bool = False  # whether it changes what others see; refused to those who may only look
    max_body_bytes: int = MAX_BODY_BYTES
    media_type: str = JSON
    errors: Mapping[int, ErrorCase] = msgspec.field(default_factory=dict)
    has_etag: bool = False  # of JSON: answers 304 to a client that has it already
    pool: Pool = "default"
    described_by: Callable[..., Any] | None = None  # the function with the annotations, if it is another one

    # Not at start: the annotations are evaluated, which takes as long as the rest of a route.
    @cached_property
    def types(self) -> HandlerTypes:
        types = handler_types(self.described_by or self.handler)
        return types if self.media_type == JSON else types._replace(response=None)

    async def answer(self, request: Request, pools: WorkerPools) -> Response:
        try:
            if self.changes and READ_ONLY_KEY in request.scope:
                raise RequestError(request.scope[READ_ONLY_KEY], code="forbidden")
            if self.types.body is Path:
                parameters = self._parse_parameters(request)
                async with received(request, max_bytes=self.max_body_bytes) as file:
                    return await self._handle(ParsedRequest(parameters, file, request), pools)
            async with pools.large_bodies if self._has_large_body(request) else nullcontext():
                return await self._handle(await self._parse(request, pools), pools)
        except RequestError as error:
            return error_response(error)
        except (PayloadAwayError, StoreUnavailableError) as error:
            unavailable = RequestError(str(error), code="unavailable")
            return error_picture(unavailable) if wants_picture(request) else error_response(unavailable)
        except (UnknownSeriesError, PayloadGoneError) as error:
            return error_response(not_found(str(error)))
        except DecodeError as error:
            return error_response(undecodable(error))
        except NotSupportedError as error:
            return error_response(RequestError(str(error), code="not_supported"))

    async def _handle(self, parsed: ParsedRequest[Any, Any], pools: WorkerPools) -> Response:
        if inspect.iscoroutinefunction(self.handler):
            return self._respond(parsed.http, await self.handler(parsed))
        return await pools.run(lambda: self._respond(parsed.http, self.handler(parsed)), pool=self.pool)

    def _parse_parameters(self, request: Request) -> msgspec.Struct:
        return parse_parameters(self.types.parameters, request.query_params.multi_items())

    def _has_large_body(self, request: Request) -> bool:
        """Or one of unknown length."""
        length = request.headers.get("content-length", "")
        return self.types.body is not None and not (length.isdecimal() and int(length) <= LARGE_BODY_BYTES)

    async def _parse(self, request: Request, pools: WorkerPools) -> ParsedRequest[Any, Any]:
        parameters = self._parse_parameters(request)
        struct = self.types.body
        if struct is None:
            return ParsedRequest(parameters, None, request)
        body = await read_body(request, max_bytes=self.max_body_bytes)
        if not issubclass(struct, msgspec.Struct):
            return ParsedRequest(parameters, body, request)
        is_small = len(body) < SMALL_BODY_BYTES
        parsed = parse_body(struct, body) if is_small else await pools.run(lambda: parse_body(struct, body))
        return ParsedRequest(parameters, parsed, request)

    def _respond(self, request: Request, result: Any) -> Response:
        if isinstance(result, Response):
            return result
        if isinstance(result, bytes) or self.media_type != JSON:
            return Response(result, media_type=self.media_type)
        return etag_json_response(request, result) if self.has_etag else json_response(result)


def as_routes(endpoints: Sequence[Endpoint], pools: WorkerPools | None = None) -> list[Route]:
    """One Starlette route for each path, with all methods of that path."""
    pools = pools or WorkerPools()
    by_path: dict[str, dict[str, Endpoint]] = {}
    for endpoint in endpoints:
        by_path.setdefault(endpoint.path, {})[endpoint.method] = endpoint
    return [
        Route(path, dispatch(by_method, pools), methods=list(by_method), name=path.strip("/"))
        for path, by_method in by_path.items()
    ]


def dispatch(by_method: Mapping[str, Endpoint], pools: WorkerPools) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        return await by_method["GET" if request.method == "HEAD" else request.method].answer(request, pools)

    return answer
