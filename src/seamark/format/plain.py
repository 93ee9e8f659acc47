"""Converts values of a program's configuration to plain JSON types."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from typing import Any

from seamark.format.surrogates import replace_surrogates

MAX_CHARACTERS = 2000
MAX_ITEMS = 1000
MAX_NAMES = 100_000
MAX_DEPTH = 20


def plain(value: Any, depth: int = 0) -> Any:
    """Numbers, strings, lists and mappings; a short description of every other object. Long values are cut."""
    if value is None or type(value) in (bool, int, float):
        return value
    if isinstance(value, str):
        return replace_surrogates(value[:MAX_CHARACTERS])
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
    return _describe(value, depth)


def mapping_of(value: Any) -> Mapping[Any, Any] | None:
    """The fields of a mapping, dataclass, argparse Namespace, attrs or pydantic object or ConfigDict, by name."""
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


def flatten(nested: Mapping[Any, Any], *, separator: str, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """`{"model": {"depth": 3}}` becomes `model.depth`. An empty mapping is a value."""
    for key, value in nested.items():
        if isinstance(value, Mapping) and value:
            yield from flatten(value, separator=separator, prefix=f"{prefix}{key}{separator}")
        else:
            yield f"{prefix}{key}", value


def _key(key: Any) -> str:
    return str(plain(key if isinstance(key, str) else str(key)))


def _describe(value: Any, depth: int) -> Any:
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
    # A list type of a configuration library.
    if isinstance(value, Iterable) and hasattr(value, "__len__") and hasattr(value, "__getitem__"):
        return [plain(item, depth + 1) for item in list(value)[:MAX_ITEMS]]
    # The default text of an object contains its address, which differs each time.
    text = str(value)
    return plain(f"<{type(value).__name__}>" if " object at 0x" in text else text)


def _size(shape: Any) -> int:
    size = 1
    for length in shape:
        size *= int(length)
    return size
