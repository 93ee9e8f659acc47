"""Parameters as hparams have them: one level, numbers, booleans and text."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

PLAIN_NUMBER = re.compile(r"-?(0|[1-9]\d{0,17})(\.\d+)?([eE][+-]?\d{1,3})?")
# A number of hparams is a double: whole numbers beyond this are kept as text, digit by digit.
EXACT_WHOLE = 2**53


def flattened(nested: Mapping[str, Any], *, between: str = ".", above: str = "") -> Iterator[tuple[str, Any]]:
    """`{"model": {"depth": 3}}` becomes `model.depth`."""
    for key, value in nested.items():
        name = f"{above}{between}{key}" if above else str(key)
        if isinstance(value, Mapping) and value:
            yield from flattened(value, between=between, above=name)
        else:
            yield name, value


def hparams_of(nested: Mapping[str, Any]) -> dict[str, bool | float | str]:
    return {name: hparam(value) for name, value in flattened(nested)}


def hparam(value: Any) -> bool | float | str:
    if isinstance(value, bool | float | str):
        return value
    if isinstance(value, int):
        return float(value) if abs(value) <= EXACT_WHOLE else str(value)
    if isinstance(value, list | tuple | dict):
        try:
            return json.dumps(value, ensure_ascii=False)
        except (TypeError, ValueError):
            return str(value)
    return str(value)


def from_text(text: str) -> bool | float | str:
    """For sources that keep every parameter as text: what was plainly a number or a boolean is one again."""
    if text in ("True", "true"):
        return True
    if text in ("False", "false"):
        return False
    if PLAIN_NUMBER.fullmatch(text) and (any(mark in text for mark in ".eE") or abs(int(text)) <= EXACT_WHOLE):
        return float(text)
    return text
