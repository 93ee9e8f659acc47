"""HandlerTypes: what a route takes and returns, from the annotations of the function that handles it."""

from __future__ import annotations

import typing
from collections.abc import Callable
from typing import Annotated, Any, NamedTuple

import msgspec
from starlette.responses import Response

from seamark.plugin.request import NoParameters, ParsedRequest


class HandlerTypes(NamedTuple):
    parameters: type[msgspec.Struct] = NoParameters
    # A struct is read from JSON. A Path is a file with the body, which the handler may move; else it is removed.
    body: Any = None
    # The type of the JSON; None for bytes, text and a Response.
    response: Any = None


def handler_types(handler: Callable[..., Any]) -> HandlerTypes:
    """The types of `def handler(request: ParsedRequest[P, B]) -> R`. Without annotations it takes nothing.

    A method may take `parameters: P` and `body: B` instead. `Annotated[Response, R]` is a response that holds R as
    JSON.
    """
    hints = typing.get_type_hints(handler, include_extras=True)
    response = _json_type(hints.pop("return", None))
    taken = {name: None if type_ is type(None) else type_ for name, type_ in hints.items()}
    for type_ in hints.values():
        if typing.get_origin(type_) is ParsedRequest:
            parameters, body = typing.get_args(type_)
            taken = {"parameters": parameters, "body": None if body is type(None) else body}
    return HandlerTypes(taken.get("parameters") or NoParameters, taken.get("body"), response)


def _json_type(returned: Any) -> Any:
    if typing.get_origin(returned) is Annotated:
        described = typing.get_args(returned)[1]
        if not isinstance(described, msgspec.Meta):
            return described
    if returned is object:
        return Any
    is_raw = isinstance(returned, type) and issubclass(returned, (bytes, str, Response, type(None)))
    return None if is_raw or returned is None else returned
