"""Values in statements. They are written as `{name:Type}` and never pasted by callers.

Servers from 19.14 on bind such parameters themselves. Older ones get literals, made here and nowhere else.
`Set(UInt64)` is a list of integers behind IN: not all versions accept an array there, so it is always a literal.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Mapping, Sequence

import numpy as np

Value = str | bytes | int | float | Sequence[int]
BOUND_FROM = (19, 14)
SET = "Set(UInt64)"
_PLACEHOLDER = re.compile(r"\{([a-z_][a-z0-9_]*):([A-Za-z0-9()]+)\}")
_INTEGERS = {"UInt8": (0, 2**8), "UInt32": (0, 2**32), "UInt64": (0, 2**64), "Int64": (-(2**63), 2**63)}
# As ClickHouse reads escape sequences in string literals and parameters.
_ESCAPES = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\t": "\\t", "\r": "\\r", "\0": "\\0", "\b": "\\b", "\f": "\\f"}
_TO_ESCAPE = re.compile(r"[\\'\n\t\r\0\b\f]")


def to_text(value: str | bytes) -> str:
    """Names may have bytes that are not UTF-8; they survive the way to the server and back."""
    return value.decode("utf-8", "surrogateescape") if isinstance(value, bytes) else value


def to_bytes(text: str) -> bytes:
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")


def with_literals(sql: str, parameters: Mapping[str, Value]) -> str:
    """Returns the statement with a literal for each `{name:Type}`, for servers without parameters."""
    return _PLACEHOLDER.sub(lambda found: literal(parameters[found[1]], found[2]), sql)


def with_sets(sql: str, parameters: Mapping[str, Value]) -> str:
    """Returns the statement with only the sets of integers filled in."""

    def filled(found: re.Match[str]) -> str:
        return literal(parameters[found[1]], found[2]) if found[2] == SET else found[0]

    return _PLACEHOLDER.sub(filled, sql)


def literal(value: Value, type_name: str) -> str:
    """Returns a literal of the type. Floats are passed as bits: old servers read decimal digits inexactly."""
    if type_name == "String":
        if not isinstance(value, str | bytes):
            raise TypeError(f"a String parameter must be text, got {type(value).__name__}")
        return f"'{escaped(to_text(value))}'"
    if type_name == "Float64":
        if not isinstance(value, int | float):
            raise TypeError(f"a Float64 parameter must be a number, got {type(value).__name__}")
        return f"reinterpretAsFloat64(unhex('{struct.pack('<d', value).hex()}'))"
    if type_name in ("Array(UInt64)", SET):
        text = ",".join(_integer(one, "UInt64") for one in _sequence(value))
        return f"({text})" if type_name == SET else f"[{text}]"
    return f"to{type_name}({_integer(value, type_name)})"


def bound(value: Value, type_name: str) -> str:
    """Returns the text of a parameter for servers that bind it themselves."""
    if type_name == "String":
        if not isinstance(value, str | bytes):
            raise TypeError(f"a String parameter must be text, got {type(value).__name__}")
        return escaped(to_text(value))
    if type_name == "Float64":
        return repr(float(value))  # type: ignore[arg-type]
    if type_name == "Array(UInt64)":
        return f"[{','.join(_integer(one, 'UInt64') for one in _sequence(value))}]"
    return _integer(value, type_name)


def bound_all(sql: str, parameters: Mapping[str, Value]) -> dict[str, str]:
    return {name: bound(parameters[name], type_name) for name, type_name in _PLACEHOLDER.findall(sql)}


def escaped(text: str) -> str:
    return _TO_ESCAPE.sub(lambda found: _ESCAPES[found[0]], text)


def _sequence(value: Value) -> Sequence[int]:
    if isinstance(value, str | bytes | int | float):
        raise TypeError(f"an Array parameter must be a sequence of integers, got {type(value).__name__}")
    return value


def _integer(value: object, type_name: str) -> str:
    low, high = _INTEGERS[type_name]
    if not isinstance(value, int | np.integer) or isinstance(value, bool) or not low <= int(value) < high:
        raise TypeError(f"a {type_name} parameter must be an integer from {low} to {high - 1}, got {value!r}")
    return str(int(value))
