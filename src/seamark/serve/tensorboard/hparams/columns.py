"""Filters and orders over columns: a column is one hyperparameter or one metric of every group."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from seamark.kinds.hparams import HParamValue
from seamark.kinds.patterns import BadPatternError, compile_pattern
from seamark.serve.tensorboard.hparams.request import Column, Order
from seamark.serve.tensorboard.hparams.session_groups import SessionGroup
from seamark.serve.tensorboard.question import RefusalError

Cell = bool | float | str | None


def arranged(groups: list[SessionGroup], columns: Sequence[Column]) -> list[SessionGroup]:
    """Those that pass every filter, ordered by the first column that has an order, then by the next."""
    tests = [(column, test_of(column)) for column in columns]
    kept = [group for group in groups if all(test(cell(group, column)) for column, test in tests)]
    for column in reversed(columns):
        if column.order is not Order.UNSPECIFIED:
            kept.sort(key=order_key(column), reverse=column.order is Order.DESC)
    return [with_columns(group, columns) for group in kept] if is_choice(columns) else kept


def cell(group: SessionGroup, column: Column) -> Cell:
    if column.metric is not None:
        return group.value_of(column.metric)
    value: HParamValue = group.hparams.get(column.hparam or "")
    return value if isinstance(value, bool | float | str) else None


def test_of(column: Column) -> Callable[[Cell], bool]:
    passes = value_test(column)

    def test(value: Cell) -> bool:
        return not column.exclude_missing_values if value is None else passes(value)

    return test


def value_test(column: Column) -> Callable[[Cell], bool]:
    name = column.hparam or (column.metric.tag if column.metric is not None else "")
    if column.regexp is not None:
        return pattern_test(column.regexp, name)
    if column.interval is not None:
        low, high = column.interval.min_value, column.interval.max_value

        def is_inside(value: Cell) -> bool:
            if not isinstance(value, int | float):
                raise RefusalError(f"an interval filters numbers, and the column '{name}' has text: '{value}'")
            return low <= value <= high

        return is_inside
    if column.discrete is not None:
        allowed = list(column.discrete)
        return lambda value: value in allowed
    return lambda _: True


def pattern_test(pattern: str, name: str) -> Callable[[Cell], bool]:
    try:
        compiled = compile_pattern(pattern, anywhere=True)
    except BadPatternError as error:
        raise RefusalError(f"the filter of the column '{name}': {error}") from None

    def is_match(value: Cell) -> bool:
        if not isinstance(value, str):
            raise RefusalError(f"a regular expression filters text, and the column '{name}' has '{value}'")
        return compiled.is_found(value)

    return is_match


def order_key(column: Column) -> Callable[[SessionGroup], tuple[bool, int, Cell]]:
    """Missing values stand where the request wants them, also when the order is turned round."""
    none_is_largest = column.missing_values_first == (column.order is Order.DESC)

    def key(group: SessionGroup) -> tuple[bool, int, Cell]:
        value = cell(group, column)
        # Numbers, then what is not a number, then text: one column may hold them all, and Python orders none of that.
        rank = 2 if isinstance(value, str) else 1 if value != value else 0
        return (value is None) == none_is_largest, rank, 0.0 if value is None or rank == 1 else value

    return key


def is_choice(columns: Sequence[Column]) -> bool:
    """Whether the request says of any column if it is wanted; else all are."""
    return any(column.include_in_result is not None for column in columns)


def with_columns(group: SessionGroup, columns: Sequence[Column]) -> SessionGroup:
    wanted = {column.hparam for column in columns if column.include_in_result is not False}
    return replace(group, hparams={name: value for name, value in group.hparams.items() if name in wanted})
