"""Flattens a nested configuration into one row of bools, numbers and text.

Integers of more than 64 bits become exact text: columns are float64, and one value out of range would break a column.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import lru_cache
from sys import intern
from typing import Any, cast

from seamark.format.numbers import parse_non_finite
from seamark.format.surrogates import replace_surrogates

Scalar = bool | int | float | str

MAX_KEYS = 20_000
MAX_DEPTH = 30
MAX_TEXT = 20_000
MAX_ENTRIES = 10_000
PLAIN = frozenset({bool, float, type(None)})
FLAT = PLAIN | {str, int}
# A long name of a mapping would be repeated in each of thousands of keys below it.
MAX_NAME = 500
TOO_BIG = 1 << 64
MAX_DECIMAL_BITS = 4096  # Python limits conversion to decimal, which takes quadratic time


def flattened(config: Mapping[Any, Any], *, parse_text_floats: bool = False) -> dict[str, Scalar | None]:
    """Joins nested names by dots and turns lists into JSON text. None means that there is no value.

    `parse_text_floats` parses "NaN" and "Infinity", as run.json spells them. Keys beyond MAX_KEYS are left out.
    """
    if _is_flat(config):
        return cast(dict[str, Scalar | None], config)
    found: dict[str, Scalar | None] = {}
    _gather(config, "", 0, found)
    if parse_text_floats:
        for key, value in found.items():
            found[key] = parse_non_finite(value)
    return found


def without_respelled(params: dict[str, Scalar | None], logged: Iterable[str]) -> dict[str, Scalar | None]:
    """Removes the params that were also logged as events under a name with slashes.

    Lightning writes a nested `cfg: {a: 1}` to hparams.yaml, which is `cfg.a` here, and logs it as `cfg/a`. It logs the
    items of a list, which is one text here, as `cfg/0/a`.
    """
    respelled: set[str] = set()
    for name in logged:
        if "/" in name:
            parts = name.split("/")
            respelled.add(".".join(parts))
            respelled.update(".".join(parts[:at]) for at, part in enumerate(parts) if part.isdecimal())
    return {key: value for key, value in params.items() if key not in respelled} if respelled else params


def _is_flat(config: Mapping[Any, Any]) -> bool:
    """Whether the configuration is flat already, as in most sweeps. False if that is not certain.

    Each check is one call for all values, because this runs for hundreds of keys of thousands of runs.
    """
    values = config.values()
    types = set(map(type, values))
    if not types <= FLAT or not _are_names(tuple(config)):
        return False
    if str in types:
        joined = "".join([value for value in values if type(value) is str])
        if len(joined) > MAX_TEXT or not joined.isascii() or "NaN" in joined or "Infinity" in joined:
            return False
    return int not in types or max([abs(value) for value in values if type(value) is int]) < TOO_BIG


@lru_cache(maxsize=500)
def _are_names(keys: tuple[Any, ...]) -> bool:
    return len(keys) <= MAX_KEYS and all(type(key) is str and key.isascii() and len(key) <= MAX_NAME for key in keys)


def _gather(config: Mapping[Any, Any], prefix: str, depth: int, found: dict[str, Scalar | None]) -> None:
    for key, value in config.items():
        if len(found) >= MAX_KEYS:
            return
        name = f"{prefix}{key if type(key) is str else name_of(key)}"
        is_cut = len(name) > MAX_NAME
        if is_cut:
            name = f"{name[:MAX_NAME]}…"
        # Thousands of runs have the same names: interned, they share memory and compare fast.
        name = intern(name if name.isascii() else replace_surrogates(name))
        value_type = type(value)
        if value_type in PLAIN or (value_type is str and value.isascii() and len(value) <= MAX_TEXT):
            found[name] = value
        elif isinstance(value, Mapping) and depth < MAX_DEPTH and not is_cut:
            _gather(value, f"{name}.", depth + 1, found)
        else:
            found[name] = cell(value)


def cell(value: Any) -> Scalar | None:
    if value is None or isinstance(value, bool | float):
        return value
    if isinstance(value, int):
        return value if abs(value) < TOO_BIG else integer_text(value)
    if isinstance(value, str):
        return replace_surrogates(value[:MAX_TEXT])
    if isinstance(value, list | tuple | Mapping | set | frozenset):
        if not is_small(value):
            return f"({type(value).__name__} of {len(value):,} entries, too big to show)"
        try:
            listed = value if isinstance(value, list | tuple | Mapping) else sorted(value, key=name_of)
            return replace_surrogates(json.dumps(listed, ensure_ascii=False, default=str)[:MAX_TEXT])
        except (TypeError, ValueError, RecursionError):
            return f"({type(value).__name__} that cannot be shown)"
    return replace_surrogates(str(value)[:MAX_TEXT])


def name_of(key: Any) -> str:
    return integer_text(key) if isinstance(key, int) and not isinstance(key, bool) else str(key)


def integer_text(value: int) -> str:
    """All digits; very long integers in base 16, which takes linear time."""
    return str(value) if value.bit_length() <= MAX_DECIMAL_BITS else hex(value)[:MAX_TEXT]


def is_small(value: Any) -> bool:
    """Whether it has few entries. Checked before encoding: a few lines of YAML aliases can expand to billions."""
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
