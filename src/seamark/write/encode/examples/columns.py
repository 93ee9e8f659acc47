"""Columns of logged examples: numbers as they are, everything else as codes of names or as pictures."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seamark.format.surrogates import replace_surrogates
from seamark.kinds.example_files import ExampleColumn
from seamark.kinds.image import png, sniff
from seamark.write.encode.pictures import to_bytes

# Larger whole numbers are not exact as float64, which the reader uses: they are keys.
MAX_EXACT = 2**53


def encode_columns(name: str, values: NDArray[Any] | list[Any]) -> Iterator[ExampleColumn]:
    """One column; of a matrix one for each of its own."""
    name = replace_surrogates(name)
    if isinstance(values, list):
        yield _of_list(name, values)
    elif values.ndim == 1:
        yield _of_array(name, values)
    elif values.ndim == 2:
        for index in range(values.shape[1]):
            yield _of_array(f"{name} {index}", values[:, index])
    elif values.ndim in (3, 4):
        yield _pictures(name, [png(to_bytes(_channels(image))) for image in values])
    else:
        raise ValueError(f"a column has 1 to 4 dimensions: got shape {list(values.shape)} for '{name}'")


def _channels(image: NDArray[Any]) -> NDArray[Any]:
    return image[..., None] if image.ndim == 2 else image


def _of_array(name: str, values: NDArray[Any]) -> ExampleColumn:
    if values.dtype.kind in "biuf":
        is_whole = values.dtype.kind in "iu" and values.size > 0
        if is_whole and max(-int(values.min()), int(values.max())) > MAX_EXACT:
            return _named(name, [str(value) for value in values.tolist()])
        return ExampleColumn(name, numbers=np.ascontiguousarray(values))
    if values.dtype.kind in "mM":
        return _named(name, [None if np.isnat(value) else str(value) for value in values])
    return _of_list(name, values.tolist())


def _of_list(name: str, values: Sequence[Any]) -> ExampleColumn:
    present = [value for value in values if not _is_missing(value)]
    if present and all(isinstance(value, bytes) and sniff(value).startswith("image/") for value in present):
        return _pictures(name, [b"" if _is_missing(value) else value for value in values])
    if present and all(hasattr(value, "convert") and hasattr(value, "resize") for value in present):  # PIL
        return _pictures(name, [b"" if _is_missing(v) else png(np.asarray(v.convert("RGB"))) for v in values])
    if present and all(isinstance(value, bool | np.bool_) for value in present):
        if len(present) == len(values):
            return ExampleColumn(name, numbers=np.array(values, bool))
        return _named(name, [None if _is_missing(value) else str(bool(value)).lower() for value in values])
    if all(_is_exact_number(value) for value in present):
        numbers = [math.nan if _is_missing(value) else value for value in values]
        return ExampleColumn(name, numbers=np.array(numbers, np.float64))
    return _named(name, [None if _is_missing(value) else _text(value) for value in values])


def _is_exact_number(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float | np.integer | np.floating):
        return False
    return isinstance(value, float | np.floating) or abs(int(value)) <= MAX_EXACT


def _is_missing(value: Any) -> bool:
    if value is None:
        return True
    try:
        return bool(value != value)
    except (TypeError, ValueError):  # an array, or pandas.NA
        return type(value).__name__ == "NAType"


def _text(value: Any) -> str:
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)


def _named(name: str, values: Sequence[str | None]) -> ExampleColumn:
    code_of: dict[str, int] = {}
    codes = [-1 if value is None else code_of.setdefault(value, len(code_of)) for value in values]
    names = tuple(replace_surrogates(text) for text in code_of)
    return ExampleColumn(name, codes=np.array(codes, np.int32), names=names)


def _pictures(name: str, encoded: Sequence[bytes]) -> ExampleColumn:
    offsets = np.concatenate([[0], np.cumsum([len(data) for data in encoded])]).astype(np.int64)
    return ExampleColumn(name, offsets=offsets, pictures=np.frombuffer(b"".join(encoded), np.uint8))
