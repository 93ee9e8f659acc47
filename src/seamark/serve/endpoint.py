"""A route and its description in one place, so that what /api/openapi.json says is what the server does."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, TypeVar

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from seamark.serve.answers import BadRequestError

Schema = Mapping[str, Any]
T = TypeVar("T")
JSON = "application/json"
# Its threads begin when they are needed.
HEAVY = ThreadPoolExecutor(max(4, 2 * (os.cpu_count() or 1)), thread_name_prefix="seamark-series")
# Of what needs the table of runs. It reads files that anyone may have written: however long that takes, no chart waits.
TABLES = ThreadPoolExecutor(4, thread_name_prefix="seamark-tables")


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of an address. A schema of type "array" means that it may be repeated."""

    name: str
    description: str
    schema: Schema = field(default_factory=lambda: {"type": "string"})
    required: bool = False


@dataclass(frozen=True, slots=True)
class Asked:
    """A request whose parameters have been checked; what was not given is not in `values`."""

    request: Request
    values: Mapping[str, Any]

    def text(self, name: str) -> str:
        return str(self.values[name])


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """`answer` runs in a thread, `stream` on the event loop; an endpoint has one of them."""

    path: str
    summary: str
    method: str = "GET"
    parameters: tuple[Parameter, ...] = ()
    answer: Callable[[Asked], Response] | None = None
    stream: Callable[[Asked], Awaitable[Response]] | None = None
    body: Schema | None = None  # of a POST or PATCH, in JSON
    media_type: str = JSON
    schema: Schema = field(default_factory=dict)  # of the answer
    statuses: Mapping[int, str] = field(default_factory=dict)  # besides 200 and 400
    error: Schema = field(default_factory=lambda: ERROR)  # of the answer to a wrong question
    is_heavy: bool = False  # a thousand runs at once: few of these are worked on at a time
    needs_table: bool = False  # of runs: worked on apart from everything else

    async def __call__(self, request: Request) -> Response:
        asked = Asked(request, read_parameters(self.parameters, request))
        if self.stream is not None:
            return await self.stream(asked)
        assert self.answer is not None
        return await in_thread(self.answer, asked, is_heavy=self.is_heavy, needs_table=self.needs_table)


async def in_thread(
    function: Callable[..., T], *arguments: Any, is_heavy: bool = False, needs_table: bool = False
) -> T:
    """Off the event loop. Heavy work has few threads of its own, so that fifty pages cost no more memory than a few."""
    if not is_heavy and not needs_table:
        return await run_in_threadpool(function, *arguments)
    return await asyncio.get_running_loop().run_in_executor(TABLES if needs_table else HEAVY, function, *arguments)


def as_routes(endpoints: list[Endpoint]) -> list[Route]:
    """One route per path; its methods may be answered by several endpoints."""
    by_path: dict[str, dict[str, Endpoint]] = {}
    for endpoint in endpoints:
        by_path.setdefault(endpoint.path, {})[endpoint.method] = endpoint
    return [Route(path, dispatch(of_path), methods=list(of_path)) for path, of_path in by_path.items()]


def dispatch(endpoints: Mapping[str, Endpoint]) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        return await endpoints["GET" if request.method == "HEAD" else request.method](request)

    return answer


def read_parameters(parameters: tuple[Parameter, ...], request: Request) -> dict[str, Any]:
    known = {parameter.name: parameter for parameter in parameters}
    for name in request.query_params:
        if name not in known:
            wanted = f"want one of {', '.join(known)}" if known else "there are none here"
            raise BadRequestError(f"unknown parameter '{name}', {wanted}")
    values = {}
    for name, parameter in known.items():
        given = request.query_params.getlist(name)
        if given:
            values[name] = read_value(parameter, given)
        elif parameter.required:
            raise BadRequestError(f"no {name} given")
    return values


def read_value(parameter: Parameter, given: list[str]) -> Any:
    schema = parameter.schema
    if schema.get("type") == "array":
        return given
    text = given[-1]
    if "enum" in schema and text not in schema["enum"]:
        raise BadRequestError(f"{parameter.name} is one of {', '.join(schema['enum'])}, got {text!r}")
    if schema.get("type") not in ("integer", "number"):
        return text
    try:
        number = int(text) if schema["type"] == "integer" else float(text)
    except ValueError:
        raise BadRequestError(f"{parameter.name} is not a number: {text!r}") from None
    check_limits(parameter.name, number, schema)
    return number


def check_limits(name: str, number: float, schema: Schema) -> None:
    minimum, maximum, below = (schema.get(limit) for limit in ("minimum", "maximum", "exclusiveMaximum"))
    is_inside = (
        (minimum is None or number >= minimum)
        and (maximum is None or number <= maximum)
        and (below is None or number < below)
    )
    if not is_inside:
        words = {"at least": minimum, "at most": maximum, "less than": below}
        wanted = " and ".join(f"{word} {limit:,}" for word, limit in words.items() if limit is not None)
        raise BadRequestError(f"{name} is {wanted}, got {number:g}")


def choice_of(*values: str) -> Schema:
    return {"type": "string", "enum": list(values), "default": values[0]}


def array_of(schema: Schema) -> Schema:
    return {"type": "array", "items": schema}


def object_of(properties: Mapping[str, Schema], *, optional: tuple[str, ...] = ()) -> Schema:
    """An object with these properties and no others."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": [name for name in properties if name not in optional],
        "additionalProperties": False,
    }


TEXT: Schema = {"type": "string"}
INTEGER: Schema = {"type": "integer"}
NUMBER: Schema = {"type": "number"}
BOOLEAN: Schema = {"type": "boolean"}
NUMBER_OR_NULL: Schema = {"type": ["number", "null"]}
INTEGER_OR_NULL: Schema = {"type": ["integer", "null"]}
TEXT_OR_NULL: Schema = {"type": ["string", "null"]}
ERROR: Schema = object_of({"error": TEXT})
# NaN and the infinities are strings in JSON.
VALUE: Schema = {"anyOf": [NUMBER, {"enum": ["NaN", "Infinity", "-Infinity"]}]}
