"""Which kind of event a logged value becomes, told from what it is and without importing the library it comes from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from numbers import Number
from typing import TYPE_CHECKING, Any

from seamark.write.run.values import Histogram, Image, Table, Text, Value, write_images

if TYPE_CHECKING:
    from seamark.write.summary_writer import SummaryWriter


class UnknownValueError(TypeError):
    pass


def flattened(data: Mapping[Any, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """`{"val": {"loss": 1}}` is `val/loss`."""
    for key, value in data.items():
        tag = f"{prefix}{key}"
        if isinstance(value, Mapping):
            yield from flattened(value, f"{tag}/")
        elif value is not None:
            yield tag, value


def number_of(value: Any) -> float | None:
    """The value as one number, when it is one: Python's, NumPy's, or a tensor of one element."""
    if isinstance(value, Number) and not isinstance(value, complex):
        return float(value)  # type: ignore[arg-type]
    if isinstance(value, str | bytes | list | tuple | Value):
        return None
    if _element_count(value) == 1 and not hasattr(value, "columns"):
        from seamark.write.arrays import as_number

        return as_number(value)
    return None


def write(writer: SummaryWriter, tag: str, value: Any, step: int) -> None:
    """Whatever is no number. UnknownValueError when nobody knows what it is."""
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
    wrapped(value).write(writer, tag, step)


def wrapped(value: Any) -> Value:
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
        f"no kind of data for {type(value).__name__}; log a number, an array, a string, "
        "or wrap it in seamark.Image, Histogram, Audio, Video, Text or Table"
    )


def _histogram(value: Any) -> Histogram:
    histogram = Histogram(value)
    values = histogram.values
    if values is None or values.size == 0 or values.dtype.kind not in "biuf":
        raise UnknownValueError("an array of numbers has a histogram; this one is empty, or not of numbers")
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
