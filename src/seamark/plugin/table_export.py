"""Columns as texts and as arrays of Arrow, for exports."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray


class ExportColumn(Protocol):
    """Numbers, NaN where they are missing; or codes of names, -1 where they are missing."""

    @property
    def numbers(self) -> NDArray[np.float64] | None: ...
    @property
    def codes(self) -> NDArray[np.int32] | None: ...
    @property
    def names(self) -> Sequence[str]: ...


def texts_of(column: ExportColumn, rows: NDArray[np.int64]) -> Iterator[str]:
    """Of numbers all digits."""
    if column.numbers is not None:
        return (repr_number(number) for number in column.numbers[rows].tolist())
    assert column.codes is not None
    names = [*column.names, ""]  # the last is that of a missing value
    return (names[code] for code in column.codes[rows].tolist())


def repr_number(number: float) -> str:
    if number != number:
        return ""
    return str(int(number)) if number.is_integer() and abs(number) < 1e15 else repr(number)


def arrow_column(pyarrow: Any, column: ExportColumn, rows: NDArray[np.int64]) -> Any:
    if column.numbers is not None:
        numbers = column.numbers[rows]
        return pyarrow.array(numbers, mask=np.isnan(numbers))
    assert column.codes is not None
    names = [*column.names, None]
    return pyarrow.array([names[code] for code in column.codes[rows].tolist()], pyarrow.string())
