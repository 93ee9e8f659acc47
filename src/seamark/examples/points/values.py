"""The values of some rows, as a model takes them in place of others."""

from __future__ import annotations

import numpy as np

from seamark.examples.form import Value
from seamark.tables.column import Column, Rows


def values_of(column: Column, rows: Rows) -> list[Value]:
    if column.numbers is None:
        assert column.codes is not None
        names: list[Value] = [*column.names, None]  # a missing code, -1, takes the last
        return [names[code] for code in column.codes[rows].tolist()]
    chosen = column.numbers[rows]
    values: list[Value] = (chosen == 1).tolist() if column.type == "boolean" else chosen.tolist()
    for position in np.flatnonzero(np.isnan(chosen)).tolist():
        values[position] = None
    return values
