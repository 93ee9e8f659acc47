"""Nested configuration → one flat row of bools, numbers and text."""

from __future__ import annotations

import json
from collections.abc import Mapping
from sys import intern
from typing import Any

Scalar = bool | int | float | str

MAX_KEYS = 20_000
MAX_DEPTH = 30
MAX_TEXT = 20_000
MAX_ENTRIES = 10_000
PLAIN = frozenset({bool, float, type(None)})
NOT_FINITE: Mapping[object, float] = {"NaN": float("nan"), "Infinity": float("inf"), "-Infinity": float("-inf")}


def flattened(config: Mapping[Any, Any], *, spoken: bool = False) -> dict[str, Scalar | None]:
    """Names joined by dots; lists become JSON text; None says that there is no value.

    `spoken`: NaN and infinities are spelled as text, as run.json does. Beyond MAX_KEYS the rest is left out.
    """
    found: dict[str, Scalar | None] = {}
    _gather(config, "", 0, found)
    if spoken:
        for key, value in found.items():
            if value in NOT_FINITE:
                found[key] = NOT_FINITE[value]
    return found


def _gather(config: Mapping[Any, Any], prefix: str, depth: int, found: dict[str, Scalar | None]) -> None:
    for key, value in config.items():
        if len(found) >= MAX_KEYS:
            return
        name = f"{prefix}{key}"
        # Thousands of runs have the same names: one object each, found and compared at once.
        name = intern(name if name.isascii() else speakable(name))
        kind = type(value)
        if kind in PLAIN or (kind is str and value.isascii() and len(value) <= MAX_TEXT):
            found[name] = value
        elif isinstance(value, Mapping) and depth < MAX_DEPTH:
            _gather(value, f"{name}.", depth + 1, found)
        else:
            found[name] = cell(value)


def cell(value: Any) -> Scalar | None:
    if value is None or isinstance(value, bool | float):
        return value
    if isinstance(value, int):
        # Beyond this no float can hold it, and numbers are compared as floats.
        return value if abs(value) < 1 << 1023 else str(value)
    if isinstance(value, str):
        return speakable(value[:MAX_TEXT])
    if isinstance(value, list | tuple | Mapping | set | frozenset):
        if not is_small(value):
            return f"({type(value).__name__} of {len(value):,} entries, too big to show)"
        listed = value if isinstance(value, list | tuple | Mapping) else sorted(value, key=str)
        try:
            return speakable(json.dumps(listed, ensure_ascii=False, default=str)[:MAX_TEXT])
        except (TypeError, ValueError, RecursionError):
            return f"({type(value).__name__} that cannot be shown)"
    return speakable(str(value)[:MAX_TEXT])


def is_small(value: Any) -> bool:
    """Counted before anything is written out: a few lines of YAML with references can stand for billions of entries."""
    count, waiting = 0, [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, Mapping):
            one = one.values()
        elif not isinstance(one, list | tuple | set | frozenset):
            continue
        count += len(one)
        if count > MAX_ENTRIES:
            return False
        waiting.extend(one)
    return True


def speakable(text: str) -> str:
    """Lone surrogates come with file names that are no UTF-8; nothing can be told about them in JSON."""
    return text if text.isascii() else text.encode(errors="replace").decode()
