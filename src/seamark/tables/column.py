"""Column: one value for each row of a table, as numbers or as codes of names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Codes = NDArray[np.int32]
Rows = NDArray[np.int64]
ColumnType = Literal["number", "category", "boolean", "text", "image"]
MISSING = -1


class TableError(ValueError):
    """A table that cannot be read or used. The message is a sentence for people."""


@dataclass(frozen=True, eq=False)
class Column:
    """Never changed. Numbers and booleans (0 and 1) have `numbers`; all other types have `codes` and `names`.

    The names of a category are in descending order of how many rows have them; a text may have one for every row; those
    of an image are paths or keys of pictures.
    """

    name: str
    type: ColumnType
    numbers: Numbers | None = None  # NaN where it is missing
    codes: Codes | None = None  # positions in `names`; MISSING where it is missing
    names: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.numbers if self.numbers is not None else self._codes)

    @property
    def is_numeric(self) -> bool:
        return self.numbers is not None

    @cached_property
    def present(self) -> NDArray[np.bool_]:
        return ~np.isnan(self.numbers) if self.numbers is not None else self._codes != MISSING

    def value(self, row: int) -> float | bool | str | None:
        """As JSON has it."""
        if self.numbers is not None:
            number = float(self.numbers[row])
            if np.isnan(number):
                return None
            return bool(number) if self.type == "boolean" else number
        code = int(self._codes[row])
        return None if code == MISSING else self.names[code]

    def take(self, rows: Rows) -> Column:
        if self.numbers is not None:
            return Column(self.name, self.type, numbers=self.numbers[rows])
        return Column(self.name, self.type, codes=self._codes[rows], names=self.names)

    @property
    def _codes(self) -> Codes:
        assert self.codes is not None
        return self.codes


@dataclass(frozen=True, eq=False)
class Table:
    """Columns of equal length, with sentences about what could not be read."""

    rows: int
    columns: tuple[Column, ...] = ()
    problems: tuple[str, ...] = ()
    # Returns the bytes of the picture with this name in an image column; None: there are no pictures in it.
    read_picture: Callable[[str], bytes] | None = None

    @cached_property
    def by_name(self) -> dict[str, Column]:
        return {column.name: column for column in self.columns}
