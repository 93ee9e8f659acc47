"""Filters and sorts groups by columns. A column is one hyperparameter or one metric of every group."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from seamark.format.patterns import BadPatternError, compile_pattern
from seamark.kinds.hparams import HParamValue
from seamark.plugin import RequestError
from seamark.serve.tensorboard.hparams.request import Column, Order
from seamark.serve.tensorboard.hparams.session_groups import SessionGroup

Cell = bool | float | str | None


def filter_and_sort(groups: list[SessionGroup], columns: Sequence[Column]) -> list[SessionGroup]:
    """The groups that pass every filter, sorted by the first column with an order, then by the next."""
    filters = [(column, make_filter(column)) for column in columns]
    found = [group for group in groups if all(passes(cell(group, column)) for column, passes in filters)]
    for column in reversed(columns):
        if column.order is not Order.UNSPECIFIED:
            found.sort(key=order_key(column), reverse=column.order is Order.DESC)
    return [with_columns(group, columns) for group in found] if is_selection(columns) else found


def cell(group: SessionGroup, column: Column) -> Cell:
    if column.metric is not None:
        return group.value_of(column.metric)
    value: HParamValue = group.hparams.get(column.hparam or "")
    return value if isinstance(value, bool | float | str) else None


def make_filter(column: Column) -> Callable[[Cell], bool]:
    passes_value = make_value_filter(column)

    def passes(value: Cell) -> bool:
        return not column.exclude_missing_values if value is None else passes_value(value)

    return passes


def make_value_filter(column: Column) -> Callable[[Cell], bool]:
    name = column.hparam or (column.metric.tag if column.metric is not None else "")
    if column.regexp is not None:
        return make_pattern_filter(column.regexp, name)
    if column.interval is not None:
        low, high = column.interval.min_value, column.interval.max_value

        def is_inside(value: Cell) -> bool:
            if not isinstance(value, int | float):
                raise RequestError(f"an interval filters numbers, but the column '{name}' has text: '{value}'")
            return low <= value <= high

        return is_inside
    if column.discrete is not None:
        allowed = list(column.discrete)
        return lambda value: value in allowed
    return lambda _: True


def make_pattern_filter(pattern: str, name: str) -> Callable[[Cell], bool]:
    try:
        compiled = compile_pattern(pattern, anywhere=True)
    except BadPatternError as error:
        raise RequestError(f"the filter of the column '{name}': {error}") from None

    def is_match(value: Cell) -> bool:
        if not isinstance(value, str):
            raise RequestError(f"a regular expression filters text, but the column '{name}' has '{value}'")
        return compiled.is_found(value)

    return is_match


def order_key(column: Column) -> Callable[[SessionGroup], tuple[bool, int, Cell]]:
    """Missing values come first or last as requested, in either order."""
    none_is_largest = column.missing_values_first == (column.order is Order.DESC)

    def key(group: SessionGroup) -> tuple[bool, int, Cell]:
        value = cell(group, column)
        # Numbers, then NaN, then text: a column may have all of them, which Python cannot compare.
        rank = 2 if isinstance(value, str) else 1 if value != value else 0
        return (value is None) == none_is_largest, rank, 0.0 if value is None or rank == 1 else value

    return key


def is_selection(columns: Sequence[Column]) -> bool:
    """Whether the request selects columns; otherwise it gets all of them."""
    return any(column.include_in_result is not None for column in columns)


def with_columns(group: SessionGroup, columns: Sequence[Column]) -> SessionGroup:
    wanted = {column.hparam for column in columns if column.include_in_result is not False}
    return replace(group, hparams={name: value for name, value in group.hparams.items() if name in wanted})
