"""Routes that are methods of an object: `get` and `post` mark them, `routes_of` lists their endpoints.

    class Service:
        @get(errors=ERRORS)
        def info(self, parameters: InfoParameters) -> InfoResponse:
            "The columns of a set."

is `GET /info`. A method takes `parameters`, `body` or both.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Literal, NamedTuple, TypedDict, TypeVar, Unpack

from seamark.plugin.endpoint import Endpoint, ErrorCase
from seamark.plugin.pools import Pool
from seamark.plugin.request import ParsedRequest

# Of routes that take a dropped file.
UPLOAD_ERRORS = {422: ErrorCase("The file cannot be read."), 503: ErrorCase("Too many files are sent at once.")}
ROUTE = "__seamark_route__"
TAKEN = frozenset({"parameters", "body"})
MethodT = TypeVar("MethodT", bound=Callable[..., Any])


class RouteOptions(TypedDict, total=False):
    """Fields of Endpoint, with its defaults, but for `errors`: those that routes_of is given."""

    media_type: str
    errors: Mapping[int, ErrorCase]
    max_body_bytes: int
    changes: bool
    pool: Pool


class Marked(NamedTuple):
    method: Literal["GET", "POST"]
    options: RouteOptions


def get(**options: Unpack[RouteOptions]) -> Callable[[MethodT], MethodT]:
    return _mark(Marked("GET", options))


def post(**options: Unpack[RouteOptions]) -> Callable[[MethodT], MethodT]:
    return _mark(Marked("POST", options))


def routes_of(
    *services: object,
    errors: Mapping[int, ErrorCase] | None = None,
    within: Callable[[], AbstractContextManager[None]] = nullcontext,
) -> list[Endpoint]:
    """The endpoints of the marked methods, in their order. The path is the method's name, the summary its docstring.

    The methods are called inside `within()`, which may turn errors of a library into those of requests.
    """
    return [
        _endpoint(getattr(service, name), getattr(member, ROUTE), errors or {}, within)
        for service in services
        for name, member in vars(type(service)).items()
        if hasattr(member, ROUTE)
    ]


def _mark(marked: Marked) -> Callable[[MethodT], MethodT]:
    def mark(method: MethodT) -> MethodT:
        setattr(method, ROUTE, marked)
        return method

    return mark


def _endpoint(
    bound: Callable[..., Any],
    marked: Marked,
    errors: Mapping[int, ErrorCase],
    within: Callable[[], AbstractContextManager[None]],
) -> Endpoint:
    names = list(inspect.signature(bound).parameters)
    if not TAKEN.issuperset(names):
        raise TypeError(f"{bound.__qualname__} takes {', '.join(names)}; a route takes parameters and body")
    if not bound.__doc__:
        raise TypeError(f"{bound.__qualname__} has no docstring, which a route needs as its summary")

    def handle(request: ParsedRequest[Any, Any]) -> Any:
        with within():
            return bound(**{name: getattr(request, name) for name in names})

    options: RouteOptions = {"errors": errors, **marked.options}
    return Endpoint(
        path=f"/{bound.__name__}",
        method=marked.method,
        summary=" ".join(inspect.cleandoc(bound.__doc__).split()),
        handler=handle,
        described_by=bound,
        **options,
    )
