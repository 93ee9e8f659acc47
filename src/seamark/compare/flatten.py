"""Nested configuration → one flat row of bools, numbers and text.

Integers of more than 64 bits become text, exact to the last digit: numbers are compared as floats, and one that no
float can hold would be an error in the columns of all runs.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import lru_cache
from sys import intern
from typing import Any

Scalar = bool | int | float | str

MAX_KEYS = 20_000
MAX_DEPTH = 30
MAX_TEXT = 20_000
MAX_ENTRIES = 10_000
PLAIN = frozenset({bool, float, type(None)})
FLAT = PLAIN | {str, int}
# A long name above thousands of others would be repeated in each of them.
MAX_NAME = 500
TOO_BIG = 1 << 64
MAX_DECIMAL_BITS = 4096  # Python refuses to write much longer ones as decimals, which takes quadratic time
NOT_FINITE: Mapping[object, float] = {"NaN": float("nan"), "Infinity": float("inf"), "-Infinity": float("-inf")}


def flattened(config: Mapping[Any, Any], *, spoken: bool = False) -> dict[str, Scalar | None]:
    """Names joined by dots; lists become JSON text; None says that there is no value.

    `spoken`: NaN and infinities are spelled as text, as run.json does. Beyond MAX_KEYS the rest is left out.
    """
    plain = _plain(config)
    if plain is not None:
        return plain
    found: dict[str, Scalar | None] = {}
    _gather(config, "", 0, found)
    if spoken:
        for key, value in found.items():
            if value in NOT_FINITE:
                found[key] = NOT_FINITE[value]
    return found


def without_respelled(params: dict[str, Scalar | None], logged: Iterable[str]) -> dict[str, Scalar | None]:
    """`params` of files without those that were logged as events under a name with slashes.

    Lightning writes a nested `cfg: {a: 1}` to hparams.yaml, which is `cfg.a` here, and logs it as `cfg/a`; of a list of
    groups, which is one text here, it logs `cfg/0/a`.
    """
    respelled: set[str] = set()
    for name in logged:
        if "/" in name:
            parts = name.split("/")
            respelled.add(".".join(parts))
            respelled.update(".".join(parts[:at]) for at, part in enumerate(parts) if part.isdecimal())
    return {key: value for key, value in params.items() if key not in respelled} if respelled else params


def _plain(config: Mapping[Any, Any]) -> dict[str, Scalar | None] | None:
    """Of a configuration that is flat already, as those of most sweeps are; None of others.

    Every check is one call for all its values: this is done for hundreds of keys of thousands of runs.
    """
    names, values = _names(tuple(config)), config.values()
    kinds = set(map(type, values))
    if names is None or not kinds <= FLAT:
        return None
    texts = {value for value in values if type(value) is str} if str in kinds else ()
    if not all(map(str.isascii, texts)) or not NOT_FINITE.keys().isdisjoint(texts):
        return None
    whole = [abs(value) for value in values if type(value) is int] if int in kinds else []
    if max(map(len, texts), default=0) > MAX_TEXT or max(whole, default=0) >= TOO_BIG:
        return None
    return dict(zip(names, values, strict=True))


@lru_cache(maxsize=500)
def _names(keys: tuple[Any, ...]) -> tuple[str, ...] | None:
    """The same names as one object each for all runs that have them; None where they are not fit as they are."""
    if len(keys) > MAX_KEYS or not all(type(key) is str and key.isascii() and len(key) <= MAX_NAME for key in keys):
        return None
    return tuple(map(intern, keys))


def _gather(config: Mapping[Any, Any], prefix: str, depth: int, found: dict[str, Scalar | None]) -> None:
    for key, value in config.items():
        if len(found) >= MAX_KEYS:
            return
        name = f"{prefix}{key if type(key) is str else name_of(key)}"
        is_cut = len(name) > MAX_NAME
        if is_cut:
            name = f"{name[:MAX_NAME]}…"
        # Thousands of runs have the same names: one object each, found and compared at once.
        name = intern(name if name.isascii() else speakable(name))
        kind = type(value)
        if kind in PLAIN or (kind is str and value.isascii() and len(value) <= MAX_TEXT):
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
        return speakable(value[:MAX_TEXT])
    if isinstance(value, list | tuple | Mapping | set | frozenset):
        if not is_small(value):
            return f"({type(value).__name__} of {len(value):,} entries, too big to show)"
        try:
            listed = value if isinstance(value, list | tuple | Mapping) else sorted(value, key=name_of)
            return speakable(json.dumps(listed, ensure_ascii=False, default=str)[:MAX_TEXT])
        except (TypeError, ValueError, RecursionError):
            return f"({type(value).__name__} that cannot be shown)"
    return speakable(str(value)[:MAX_TEXT])


def name_of(key: Any) -> str:
    return integer_text(key) if isinstance(key, int) and not isinstance(key, bool) else str(key)


def integer_text(value: int) -> str:
    """All digits; of very long ones in base 16, which takes linear time."""
    return str(value) if value.bit_length() <= MAX_DECIMAL_BITS else hex(value)[:MAX_TEXT]


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
