"""Requests: query parameters and JSON bodies parsed into msgspec structs."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any, Generic, NoReturn, TypeVar

import msgspec
from starlette.requests import ClientDisconnect, Request

from seamark.plugin.errors import RequestError
from seamark.plugin.validation import explain, is_repeatable, parameter_names

# Long enough for a body of some megabytes over a slow connection.
BODY_TIMEOUT_SECS = 60.0
MAX_BODY_BYTES = 16 << 20
MAX_SHOWN = 60  # characters of a text in a sentence

P = TypeVar("P")
B = TypeVar("B")
S = TypeVar("S", bound=msgspec.Struct)


class RequestStruct(msgspec.Struct, forbid_unknown_fields=True):
    """Base of parameters and bodies: a name that is not a field is an error."""


class ResponseStruct(msgspec.Struct, forbid_unknown_fields=True):
    """Base of JSON responses."""


class NoParameters(RequestStruct):
    """For a route without query parameters."""


class ParsedRequest(msgspec.Struct, Generic[P, B], frozen=True):
    """A request whose parameters and body have been validated. `http` is Starlette's request."""

    parameters: P
    body: B
    http: Request


async def read_body(request: Request, *, max_bytes: int = MAX_BODY_BYTES) -> bytes:
    """Reads the body. Raises RequestError as soon as it is longer than `max_bytes`."""
    body = bytearray()

    async def append(chunk: bytes) -> None:
        body.extend(chunk)

    await receive_body(request, append, max_bytes=max_bytes)
    return bytes(body)


async def receive_body(request: Request, write: Callable[[bytes], Awaitable[None]], *, max_bytes: int) -> None:
    """Passes the body to `write`, part by part. Raises RequestError."""
    size = 0
    try:
        async with asyncio.timeout(BODY_TIMEOUT_SECS):
            async for chunk in request.stream():
                size += len(chunk)
                if size > max_bytes:
                    raise RequestError(f"the request body is longer than {max_bytes:,} bytes", code="too_large")
                await write(chunk)
    except TimeoutError:
        sentence = f"the request body did not arrive within {BODY_TIMEOUT_SECS:g} seconds"
        raise RequestError(sentence, code="timeout") from None
    except ClientDisconnect:
        raise RequestError("the client closed the connection before the end of the request body") from None


def parse_parameters(struct: type[S], pairs: Iterable[tuple[str, str]]) -> S:
    """Query parameters, or the fields of a form, as a struct. Raises RequestError.

    A list field collects a repeated parameter; for another field the first value counts, as in TensorBoard.
    """
    given: dict[str, Any] = {}
    for name, value in pairs:
        if is_repeatable(struct, name):
            given.setdefault(name, []).append(value)
        else:
            given.setdefault(name, value)
    known = parameter_names(struct)
    if struct.__struct_config__.forbid_unknown_fields:
        for name in given:
            if name not in known:
                wanted = f"want one of {', '.join(known)}" if known else "this route takes none"
                raise RequestError(f"unknown parameter '{name}', {wanted}", code="unknown_parameter")
    parsed = convert(struct, given, strict=False)
    for name in known:
        check_finite(name, getattr(parsed, known[name]), given)
    return parsed


def check_finite(name: str, value: object, given: Mapping[str, Any]) -> None:
    if isinstance(value, float) and not math.isfinite(value):
        raise RequestError(f"{name} must be a finite number, got {given[name]!r}", code="invalid_parameter")


def parse_body(struct: type[S], body: bytes) -> S:
    """A JSON object as a struct. Raises RequestError."""
    try:
        # Not msgspec's decoder, which rejects lone surrogates: they stand for bytes of a name that are not UTF-8.
        given = json.loads(body, parse_constant=reject_constant)
    except RecursionError:
        raise RequestError("the request body is nested too deeply", code="invalid_body") from None
    except ValueError as error:
        raise RequestError(f"the request body is not JSON: {error}", code="invalid_body") from None
    if not isinstance(given, dict):
        raise RequestError("the request body must be a JSON object", code="invalid_body")
    return convert(struct, given, strict=True)


def reject_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")


def convert(struct: type[S], given: dict[str, Any], *, strict: bool) -> S:
    try:
        return msgspec.convert(given, struct, strict=strict)
    except msgspec.ValidationError as error:
        raise explain(error, struct, given) from None
    except UnicodeEncodeError as error:
        # A lone surrogate where msgspec compares text: names of fields, and choices.
        sentence = f"{error.object[:MAX_SHOWN]!a} is neither a parameter nor a choice of this route"
        raise RequestError(sentence, code="invalid_parameter") from None
    except RecursionError:
        raise RequestError("the request body is nested too deeply", code="invalid_body") from None
