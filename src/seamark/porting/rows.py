"""Turns the rows of a table, wide or long, into runs."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from seamark.porting import params
from seamark.porting.source import UNKNOWN_WALL, SourceError, SourceRun, as_step

# Usual names of these columns, the most likely first.
STEP_NAMES = ("step", "global_step", "_step", "iteration", "iter", "epoch")
WALL_NAMES = ("wall_time", "wall", "timestamp", "_timestamp", "time", "datetime", "date")
RUN_NAMES = ("run", "run_name", "run_id")
TAG_NAMES = ("tag", "metric", "key", "name")
VALUE_NAMES = ("value",)
NOTHING = frozenset({"", "na", "n/a", "null", "none", "-"})
# Seconds since 1970 stay below this for three thousand years; larger numbers are milli-, micro- or nanoseconds.
TOO_LATE_SECS = 1e11


@dataclass(frozen=True, kw_only=True)
class Columns:
    """Column names given by the user; "" stands for the usual names."""

    step: str = ""
    wall: str = ""
    run: str = ""
    tag: str = ""
    value: str = ""
    params: tuple[str, ...] = ()

    def found_in(self, names: Collection[str], path: Path) -> Columns:
        """The column names in this table; "" for a missing column."""

        def resolve(given: str, usual: tuple[str, ...], what: str) -> str:
            if given and given not in names:
                some = ", ".join(f"'{name}'" for _, name in zip(range(8), names, strict=False))
                raise SourceError(f"there is no column '{given}' for the {what}, there are {some}: '{path}'")
            lower = {name.strip().lower(): name for name in reversed(list(names))}
            return given or next((lower[name] for name in usual if name in lower), "")

        for name in self.params:
            resolve(name, (), "parameters")
        tag, value = resolve(self.tag, TAG_NAMES, "tag"), resolve(self.value, VALUE_NAMES, "value")
        is_long = bool(tag and value)
        return replace(
            self,
            step=resolve(self.step, STEP_NAMES, "step"),
            wall=resolve(self.wall, WALL_NAMES, "wall time"),
            run=resolve(self.run, RUN_NAMES, "run"),
            tag=tag if is_long else "",
            value=value if is_long else "",
        )


@dataclass
class Table:
    """Sorts rows into runs. `source` and `path` are used in ids and messages."""

    source: str
    path: Path
    columns: Columns
    runs: dict[str, SourceRun] = field(default_factory=dict)
    _texts: dict[str, int] = field(default_factory=dict)
    _numbers: set[str] = field(default_factory=set)
    _rows: dict[tuple[str, str], int] = field(default_factory=dict)

    def run(self, name: str) -> SourceRun:
        found = self.runs.get(name)
        if found is None:
            shown = name if name not in ("", ".") else self.path.stem
            found = self.runs[name] = SourceRun(source=self.source, id=f"{self.path.resolve()}#{name}", name=shown)
        return found

    def add(self, row: Mapping[str, Any], line: int) -> None:
        columns = self.columns
        run = self.run(str(row.get(columns.run) or "") if columns.run else "")
        try:
            wall = wall_of(row.get(columns.wall)) if columns.wall else UNKNOWN_WALL
            if columns.tag:
                self._add_long(run, row, wall)
            else:
                self._add_wide(run, row, wall)
        except ValueError as error:
            raise SourceError(f"{error}, in line {line}: '{self.path}'") from None

    def finished(self) -> Iterator[SourceRun]:
        """Yields the runs, the first one with the remarks about the whole table."""
        remarks = [
            f"{count:,} cells of the column '{name}' are no numbers and were left out"
            if name in self._numbers
            else f"the column '{name}' has no numbers and was left out; --params takes it as a parameter"
            for name, count in self._texts.items()
        ]
        for run in self.runs.values():
            run.remarks += remarks
            remarks = []
            yield run

    def _add_long(self, run: SourceRun, row: Mapping[str, Any], wall: float) -> None:
        tag = row.get(self.columns.tag)
        if tag in (None, ""):
            raise ValueError(f"a row has no tag in the column '{self.columns.tag}'")
        cell = row.get(self.columns.value)
        value = parse_number(cell)
        if value is None:
            raise ValueError(f"a value is not a number: got {str(cell)[:40]!r} for '{tag}'")
        run.points(str(tag)).add(self._step(run, row, str(tag)), wall, value)

    def _add_wide(self, run: SourceRun, row: Mapping[str, Any], wall: float) -> None:
        columns = self.columns
        step = self._step(run, row, "")
        for name, cell in row.items():
            if name in (columns.step, columns.wall, columns.run):
                continue
            if name in columns.params:
                if name not in run.params and not is_nothing(cell):
                    value = params.from_text(cell) if isinstance(cell, str) else cell
                    run.params = {**run.params, name: value}
            elif not is_nothing(cell):
                value = parse_number(cell)
                if value is None:
                    self._texts[name] = self._texts.get(name, 0) + 1
                else:
                    self._numbers.add(name)
                    run.points(name).add(step, wall, value)

    def _step(self, run: SourceRun, row: Mapping[str, Any], tag: str) -> int:
        if not self.columns.step:
            key = (run.id, tag)
            self._rows[key] = self._rows.get(key, -1) + 1
            return self._rows[key]
        cell = row.get(self.columns.step)
        step = as_step(cell)
        if step is None and isinstance(cell, str):
            step = as_step(float(cell)) if parse_number(cell) is not None else None
        if step is None:
            raise ValueError(
                f"a step is not a whole number: got {str(cell)[:40]!r} in the column '{self.columns.step}'"
            )
        return step


def is_nothing(cell: Any) -> bool:
    return cell is None or (isinstance(cell, str) and cell.strip().lower() in NOTHING)


def parse_number(cell: Any) -> float | None:
    if isinstance(cell, bool | int | float):
        try:
            return float(cell)
        except OverflowError:
            return None
    if not isinstance(cell, str) or "_" in cell:
        return None
    try:
        return float(cell)
    except ValueError:
        return {"true": 1.0, "false": 0.0}.get(cell.strip().lower())


def wall_of(cell: Any) -> float:
    """Seconds since 1970, from such a number (also in milli-, micro- or nanoseconds) or from a date as ISO 8601."""
    if is_nothing(cell):
        return UNKNOWN_WALL
    number = parse_number(cell)
    if number is not None:
        while TOO_LATE_SECS <= abs(number) < TOO_LATE_SECS * 1e9:
            number /= 1000
        return number
    try:
        return datetime.fromisoformat(str(cell).strip()).timestamp()
    except (ValueError, OverflowError):
        raise ValueError(
            f"a wall time is neither seconds since 1970 nor a date like 2026-01-31T12:00:00: got {str(cell)[:40]!r}"
        ) from None


def files_named(path: Path, suffixes: tuple[str, ...]) -> list[Path]:
    """The file, or all files of the folder with these suffixes."""
    if path.is_file():
        return [path]
    if not path.exists():
        raise SourceError(f"no such file or folder: '{path}'")
    found = sorted(file for file in path.rglob("*") if file.name.endswith(suffixes) and file.is_file())
    if not found:
        raise SourceError(f"no file that ends in {' or '.join(suffixes)} in this folder: '{path}'")
    return found
