"""Anything a program has in its configuration, as JSON has it."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Any

MAX_CHARACTERS = 2000
MAX_ITEMS = 1000
MAX_NAMES = 100_000
MAX_DEPTH = 20


def plain(value: Any, depth: int = 0) -> Any:
    """Numbers, strings, lists and objects as they are; of the rest a short description."""
    if value is None or type(value) in (bool, int, float):
        return value
    if isinstance(value, str):
        # Lone surrogates come with file names; JSON and protobuf refuse them.
        return value[:MAX_CHARACTERS].encode(errors="replace").decode()
    if depth > MAX_DEPTH:
        return "…"
    if isinstance(value, Enum):
        return plain(value.value if isinstance(value.value, bool | int | float | str) else value.name)
    as_mapping = mapping_of(value)
    if as_mapping is not None:
        items = list(as_mapping.items())[:MAX_NAMES]
        return {_key(key): plain(item, depth + 1) for key, item in items}
    if isinstance(value, os.PathLike):
        return plain(str(value))
    if isinstance(value, list | tuple | set | frozenset | range):
        return [plain(item, depth + 1) for item in list(value)[:MAX_ITEMS]]
    return _described(value, depth)


def mapping_of(value: Any) -> Mapping[Any, Any] | None:
    """What a mapping, dataclass, argparse Namespace, attrs or pydantic object or ConfigDict holds, by name."""
    if isinstance(value, Mapping):
        return value
    if isinstance(value, type):
        return None
    if dataclasses.is_dataclass(value):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    for method in ("model_dump", "to_dict", "flag_values_dict", "_asdict"):
        convert = getattr(value, method, None)
        if callable(convert) and not hasattr(value, "shape"):
            converted = convert()
            if isinstance(converted, Mapping):
                return converted
    if type(value).__name__ in ("Namespace", "SimpleNamespace") or hasattr(type(value), "__attrs_attrs__"):
        return {name: item for name, item in vars(value).items() if not name.startswith("_")}
    return None


def _key(key: Any) -> str:
    return str(plain(key if isinstance(key, str) else str(key)))


def _described(value: Any, depth: int) -> Any:
    shape = getattr(value, "shape", None)
    if shape is not None:
        if len(shape) == 0 and hasattr(value, "item"):
            return plain(value.item(), depth + 1)
        if hasattr(value, "tolist") and _size(shape) <= 100:
            return plain(value.tolist(), depth + 1)
        return f"<{type(value).__name__} of shape {list(shape)}>"
    if isinstance(value, type) or callable(value):
        name = getattr(value, "__qualname__", type(value).__qualname__)
        return f"{getattr(value, '__module__', '')}.{name}".lstrip(".")
    # A list as some configuration libraries have it: it can be walked, and is none of the above.
    if isinstance(value, Iterable) and hasattr(value, "__len__") and hasattr(value, "__getitem__"):
        return [plain(item, depth + 1) for item in list(value)[:MAX_ITEMS]]
    # The default description of an object holds its address in memory, which says nothing and differs each time.
    text = str(value)
    return plain(f"<{type(value).__name__}>" if " object at 0x" in text else text)


def _size(shape: Any) -> int:
    size = 1
    for length in shape:
        size *= int(length)
    return size
