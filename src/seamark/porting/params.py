"""Converts parameters to hparams: one level of numbers, booleans and text."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from seamark.format.plain import flatten

PLAIN_NUMBER = re.compile(r"-?(0|[1-9]\d{0,17})(\.\d+)?([eE][+-]?\d{1,3})?")
# hparams store numbers as doubles; larger whole numbers are kept as text to keep all digits.
EXACT_WHOLE = 2**53


def hparams_of(nested: Mapping[str, Any]) -> dict[str, bool | float | str]:
    return {name: hparam(value) for name, value in flatten(nested, separator=".")}


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
    """Parses a parameter of a source that stores text only: a plain number or boolean becomes one."""
    if text in ("True", "true"):
        return True
    if text in ("False", "false"):
        return False
    if PLAIN_NUMBER.fullmatch(text) and (any(mark in text for mark in ".eE") or abs(int(text)) <= EXACT_WHOLE):
        return float(text)
    return text
