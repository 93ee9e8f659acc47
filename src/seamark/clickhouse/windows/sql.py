"""The statements of windows. Values are parameters; only the shape of a statement depends on the query."""

from __future__ import annotations

import struct
from collections.abc import Mapping

from seamark.clickhouse.parameters import Value
from seamark.clickhouse.points import CURRENT_SQL, SOURCE
from seamark.clickhouse.series_numbers import Numbers
from seamark.clickhouse.windows.query import WindowQuery

CURRENT_LINE = 2**32  # the line of the points that count, behind those of attempts
_KNOWN = "countIf(isFinite(value))"
SUMMARY_SQL = ", ".join(
    f"{sql} AS out_{name}"
    for name, sql in {
        "step": "min(step)",
        "step_last": "max(step)",
        "wall": "min(wall)",
        "wall_last": "max(wall)",
        "first": "argMin(value, step)",
        "last": "argMax(value, step)",
        "min": f"if({_KNOWN} = 0, nan, minIf(value, isFinite(value)))",
        "max": f"if({_KNOWN} = 0, nan, maxIf(value, isFinite(value)))",
        "mean": f"if({_KNOWN} = 0, nan, sumIf(value, isFinite(value)) / {_KNOWN})",
        "count": "toUInt32(count())",
        "nan": "toUInt32(countIf(isNaN(value)))",
        "posinf": "toUInt32(countIf(isInfinite(value) AND value > 0))",
        "neginf": "toUInt32(countIf(isInfinite(value) AND value < 0))",
    }.items()
)
# The values of a column of the grid in order of step, each decayed by the number of values behind it.
SMOOTHED_COLUMNS = ("finite", "decayed")
_ORDERED = "arraySort((v, s) -> s, groupArrayIf(value, isFinite(value)), groupArrayIf(step, isFinite(value)))"


def _value_of_run(name: str) -> str:
    """A number for each run, as bits: old servers read decimal digits inexactly. Parameters: `values_by_run`."""
    bits = f"transform(run, {{{name}_keys:Array(UInt64)}}, {{{name}_bits:Array(UInt64)}}, toUInt64(0))"
    return f"reinterpretAsFloat64(reinterpretAsString({bits}))"


SMOOTHED_SQL = (
    f"toUInt32({_KNOWN}) AS out_finite, toFloat64(arraySum((v, i) -> v * pow({_value_of_run('weight')}, i - 1), "
    f"arrayReverse({_ORDERED}), arrayEnumerate({_ORDERED}))) AS out_decayed"
)


class WindowSql:
    """The statements of one query. `origins`: the time of the first point by run, for the axis of relative time."""

    def __init__(self, query: WindowQuery, origins: Mapping[int, float]) -> None:
        self._query = query
        self._origins = origins
        self._source = f"{SOURCE} AND {CURRENT_SQL}" if query.attempts == "latest" else SOURCE
        self._x = self._x_sql()
        self._line = {
            "latest": "toUInt64(0)",
            "all": "toUInt64(intDiv(mark, 2))",
            "marked": f"if({CURRENT_SQL}, toUInt64({CURRENT_LINE}), toUInt64(intDiv(mark, 2)))",
        }[query.attempts]

    def parameters(self) -> dict[str, Value]:
        found: dict[str, Value] = {}
        if self._query.start is not None:
            found["from_x"] = self._query.start
        if self._query.stop is not None:
            found["to_x"] = self._query.stop
        if self._origins:
            found |= values_by_run("origin", self._origins)
        return found

    def ranges(self) -> str:
        return (
            f"SELECT run, {self._line} AS line, countIf({self._inside()}) AS visible, min({self._x}) AS low, "
            f"max({self._x}) AS high FROM {self._source} GROUP BY run, line ORDER BY run, line"
        )

    def grid_column(self) -> str:
        return f"toUInt32(least(floor(({self._x} - {{start:Float64}}) * {{scale:Float64}}), {{last:Float64}}))"

    def summaries(self, column: str) -> str:
        smoothed = f", {SMOOTHED_SQL}" if self._query.is_smoothed else ""
        return (
            f"SELECT run, {self._line} AS line, {column} AS grid_column, {SUMMARY_SQL}{smoothed} FROM {self._source} "
            f"AND {self._inside()} GROUP BY run, line, grid_column ORDER BY run, line, grid_column"
        )

    def edges(self) -> list[str]:
        """Of the nearest point before `low`, and of the one behind `high`."""
        return [
            f"SELECT run, {self._line} AS line, {pick[3:].lower()}(step) AS out_step, {pick}(wall, step) AS out_wall, "
            f"{pick}(value, step) AS out_value FROM {self._source} AND {self._x} {outside} GROUP BY run, line"
            for outside, pick in (("< {low:Float64}", "argMax"), ("> {high:Float64}", "argMin"))
        ]

    def _inside(self) -> str:
        bounds = [f"{self._x} >= {{from_x:Float64}}"] if self._query.start is not None else []
        bounds += [f"{self._x} <= {{to_x:Float64}}"] if self._query.stop is not None else []
        return " AND ".join(bounds) or "1"

    def _x_sql(self) -> str:
        if self._query.axis == "step":
            return "toFloat64(step)"
        if self._query.axis == "wall":
            return "wall"
        return f"(wall - {_value_of_run('origin')})"


def values_by_run(name: str, values: Mapping[int, float]) -> dict[str, Value]:
    """Returns the parameters of a number for each run."""
    bits = [int.from_bytes(struct.pack("<d", value), "little") for value in values.values()]
    return {f"{name}_keys": list(values), f"{name}_bits": bits}


def is_plain(numbers: Numbers) -> bool:
    """Whether the series is in order and no restart touched it, as nearly all are."""
    return bool(numbers["is_regular"] and numbers["digest_count"] == numbers["points"] and numbers["attempts"] == 1)
