"""The contract of a dashboard: what it is called, what it shows, and the routes it adds.

A folder `seamark/dashboards/<name>/` with a `dashboard.py` is found by itself. Third parties ship the same with an
entry point in the group `seamark.dashboards` whose value names their `Dashboard`, as in "my_package:dashboard".
"""

from __future__ import annotations

import asyncio
import importlib
import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from seamark.store import LogRoot, Store

GROUP = "seamark.dashboards"
FOLDER = Path(__file__).parent / "dashboards"
# A dashboard to copy, not one to look at.
TEMPLATE = "skeleton"
NAME_FORM = re.compile(r"[a-z][a-z0-9_-]{0,63}")
NOT_STORED: Mapping[str, str] = {"cache-control": "no-store"}
# Long enough for a body of some megabytes over a slow line.
BODY_TIMEOUT_SECS = 60.0
MAX_INDEX = 2**53


@dataclass(frozen=True)
class Context:
    """What a dashboard's routes are given: the data, and the log directories it comes from."""

    store: Store
    roots: tuple[LogRoot, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Dashboard:
    """One tab. `name` is its folder and its place in the address: lower case letters, digits, - and _."""

    name: str
    title: str
    # Tabs go from low to high; ours are at 10, 20, 30 …
    order: int = 1000
    # It has data when the store has one of these kinds; () is always.
    kinds: tuple[str, ...] = ()
    # Where a kind alone does not tell: is there anything to show? Asked at /api/dashboards/<name>/has_data, in a
    # thread and only while one of the kinds is there, again whenever the lists of tags change, until it says yes.
    has_data: Callable[[Context], bool] | None = None
    # Mounted below /api/dashboards/<name>/.
    routes: Callable[[Context], Sequence[BaseRoute]] | None = None
    # A third party's view: an ES module, served as it is. Ours are part of the built page.
    module: Path | None = None

    def __post_init__(self) -> None:
        if not NAME_FORM.fullmatch(self.name):
            raise ValueError(
                f"a dashboard's name is lower case letters, digits, - and _, starting with a letter: got {self.name!r}"
            )
        if self.module is not None and not self.module.is_file():
            raise ValueError(f"the view of the dashboard {self.name!r} is not there: '{self.module}'")


@dataclass(frozen=True)
class Found:
    """A dashboard, or the sentence that says why there is none. `source` tells where it was looked for."""

    name: str
    source: str
    dashboard: Dashboard | None = None
    error: str = ""


class BodyError(ValueError):
    """The body of a request is too long, or did not come; the message is one sentence."""


async def read_body(request: Request, *, max_bytes: int) -> bytes:
    """The body of a request. Raises BodyError as soon as it is longer than `max_bytes`."""
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_TIMEOUT_SECS):
            async for chunk in request.stream():
                body += chunk
                if len(body) > max_bytes:
                    raise BodyError(f"the request is longer than {max_bytes:,} bytes")
    except TimeoutError:
        raise BodyError(f"the request did not arrive whole within {BODY_TIMEOUT_SECS:g} seconds") from None
    return bytes(body)


def as_json(content: object, status_code: int = 200, *, headers: Mapping[str, str] = NOT_STORED) -> Response:
    return Response(json_bytes(content), status_code, media_type="application/json", headers=dict(headers))


def json_bytes(content: object) -> bytes:
    """NaN and infinities are strings, as in TensorBoard's answers; a browser refuses them as numbers."""
    try:
        text = json.dumps(content, separators=(",", ":"), allow_nan=False)
    except ValueError:
        text = json.dumps(json_safe(content), separators=(",", ":"), allow_nan=False)
    return text.encode("ascii")


def json_safe(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, dict):
        return {key: json_safe(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [json_safe(entry) for entry in value]
    return value


def parse_index(text: str) -> int | None:
    """A position in a list, as an address names it; None when it is not a whole number of a sensible size."""
    is_number = text.isascii() and text.isdigit() and len(text) <= len(str(MAX_INDEX))
    return int(text) if is_number and int(text) <= MAX_INDEX else None


def find_dashboards() -> list[Found]:
    """Ours and those of installed packages, in the order of their tabs. A broken one is told, and harms no other."""
    found: dict[str, Found] = {}
    for entry in [*our_dashboards(), *foreign_dashboards()]:
        earlier = found.get(entry.name)
        if earlier is None:
            found[entry.name] = entry
            continue
        reason = f"the name {entry.name!r} is taken by {earlier.source}; {entry.source} is left out"
        found[f"{entry.name} ({entry.source})"] = Found(entry.name, entry.source, error=reason)
    return sorted(found.values(), key=lambda entry: (entry.dashboard.order if entry.dashboard else 10**9, entry.name))


def our_dashboards() -> Iterator[Found]:
    for file in sorted(FOLDER.glob("*/dashboard.py")):
        name = file.parent.name
        if name != TEMPLATE:
            yield loaded(name, f"seamark.dashboards.{name}", module_loader(f"seamark.dashboards.{name}.dashboard"))


def foreign_dashboards() -> Iterator[Found]:
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: (entry.name, entry.value)):
        yield loaded(entry.name, package_of(entry), entry.load)


def package_of(entry: EntryPoint) -> str:
    return entry.dist.name if entry.dist else entry.value


def module_loader(module: str) -> Callable[[], object]:
    return lambda: importlib.import_module(module).dashboard


def loaded(name: str, source: str, load: Callable[[], object]) -> Found:
    try:
        dashboard = load()
    except Exception as error:  # somebody else's code: whatever it raises, the server goes on
        return Found(name, source, error=f"{source} could not be loaded: {type(error).__name__}: {error}")
    if not isinstance(dashboard, Dashboard):
        return Found(
            name, source, error=f"{source} names a {type(dashboard).__name__}, want a seamark.plugin.Dashboard"
        )
    if dashboard.name != name:
        return Found(
            name, source, error=f"{source} calls itself {dashboard.name!r}, want {name!r} as its folder or entry point"
        )
    return Found(name, source, dashboard)
