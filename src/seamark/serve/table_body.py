"""What the table is asked, read from the body of a request."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from seamark.compare.settings import DEFAULT_TAIL
from seamark.serve.answers import BadRequestError
from seamark.serve.series_query import choice, names

ARCHIVED = ("hide", "show", "only")
MAX_TAIL = 1_000_000


@dataclass(frozen=True, slots=True)
class Selection:
    """Which runs; the same in every route that asks for runs by a query."""

    query: str = ""
    runs: tuple[str, ...] | None = None
    archived: str = "hide"
    tail: int = DEFAULT_TAIL


@dataclass(frozen=True, slots=True)
class TableAsked:
    selection: Selection
    sort: tuple[str, ...]
    columns: tuple[str, ...]
    start: int
    stop: int | None


def selection_of(given: Mapping[str, Any]) -> Selection:
    runs = names(given, "runs")
    return Selection(
        query=text(given, "query"),
        runs=None if runs is None else tuple(runs),
        archived=choice(given, "archived", ARCHIVED),
        tail=whole(given, "tail", DEFAULT_TAIL, least=1, most=MAX_TAIL) or DEFAULT_TAIL,
    )


def table_asked(given: Mapping[str, Any]) -> TableAsked:
    check_known(given, ("query", "runs", "archived", "tail", "sort", "columns", "start", "stop"))
    return TableAsked(
        selection=selection_of(given),
        sort=tuple(names(given, "sort") or ()),
        columns=tuple(names(given, "columns") or ()),
        start=whole(given, "start", 0) or 0,
        stop=whole(given, "stop", None),
    )


def check_known(given: Mapping[str, Any], known: tuple[str, ...]) -> None:
    unknown = sorted(set(given) - set(known))
    if unknown:
        raise BadRequestError(f"unknown parameter '{unknown[0]}', want some of {', '.join(known)}")


def text(given: Mapping[str, Any], name: str) -> str:
    value = given.get(name)
    if value is not None and not isinstance(value, str):
        raise BadRequestError(f"{name} is not text: {value!r}"[:200])
    return value or ""


def whole(given: Mapping[str, Any], name: str, default: int | None, *, least: int = 0, most: int = 2**53) -> int | None:
    value = given.get(name)
    if value is None:
        return default
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise BadRequestError(f"{name} is a whole number from {least} to {most}, got {value!r}"[:200])
    return value
