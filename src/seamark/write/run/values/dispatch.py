"""Chooses how a logged value is written, by its type and without importing the library it comes from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from numbers import Number
from typing import TYPE_CHECKING, Any

from seamark.format import plain
from seamark.write.run.values.image import Image, write_images
from seamark.write.run.values.value import Value
from seamark.write.run.values.values import Histogram, Table, Text

if TYPE_CHECKING:
    from seamark.write.writer.summary_writer import SummaryWriter


class UnknownValueError(TypeError):
    pass


def flatten(data: Mapping[Any, Any]) -> Iterator[tuple[str, Any]]:
    """`{"val": {"loss": 1}}` becomes `val/loss`."""
    for tag, value in plain.flatten(data, separator="/"):
        if value is not None and not isinstance(value, Mapping):
            yield tag, value


def number_of(value: Any) -> float | None:
    """The value as one number, when it is one: Python's, NumPy's, or a tensor of one element."""
    if isinstance(value, Number) and not isinstance(value, complex):
        return float(value)  # type: ignore[arg-type]
    if isinstance(value, str | bytes | list | tuple | Value):
        return None
    if _element_count(value) == 1 and not hasattr(value, "columns"):
        from seamark.write.encode.arrays import as_number

        return as_number(value)
    return None


def write(writer: SummaryWriter, tag: str, value: Any, step: int) -> None:
    """Writes a value that is not a number. Raises UnknownValueError for an unsupported type."""
    if isinstance(value, list | tuple) and value and all(isinstance(item, Image) for item in value):
        write_images(list(value), writer, tag, step)
        return
    if isinstance(value, list | tuple) and value and all(isinstance(item, Value) for item in value):
        for index, item in enumerate(value):
            if item.error is None:
                item.write(writer, f"{tag}/{index}", step)
        for item in value:
            if item.error is not None:
                raise item.error
        return
    wrap(value).write(writer, tag, step)


def wrap(value: Any) -> Value:
    if isinstance(value, Value):
        return value
    if isinstance(value, str):
        return Text(value)
    if hasattr(value, "columns") and hasattr(value, "itertuples"):
        return Table(dataframe=value)
    if hasattr(value, "savefig") or (hasattr(value, "convert") and hasattr(value, "mode")):
        return Image(value)
    if isinstance(value, list | tuple) and value and all(isinstance(item, str) for item in value):
        return Text("\n\n".join(value))
    if isinstance(value, list | tuple | range) or _element_count(value) is not None:
        return _histogram(value)
    raise UnknownValueError(
        f"{type(value).__name__} cannot be logged; log a number, an array, a string, "
        "or wrap it in seamark.Image, Histogram, Audio, Video, Text or Table"
    )


def _histogram(value: Any) -> Histogram:
    histogram = Histogram(value)
    values = histogram.values
    if values is None or values.size == 0 or values.dtype.kind not in "biuf":
        raise UnknownValueError("a histogram needs an array of numbers: this one is empty or not numeric")
    return histogram


def _element_count(value: Any) -> int | None:
    shape = getattr(value, "shape", None)
    if shape is None:
        return None
    count = 1
    try:
        for length in shape:
            count *= int(length)
    except TypeError:
        return None
    return count
