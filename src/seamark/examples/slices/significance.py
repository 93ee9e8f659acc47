"""One-sided tests of whether the rows of a slice have more errors than others."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from seamark.tables.column import Numbers
from seamark.tail_probabilities import t_tails

Mask = NDArray[np.bool_]
NEGLIGIBLE = 1e-17


def fisher_tail(errors: int, rows: int, all_errors: int, all_rows: int) -> float:
    """The probability of at least `errors` among `rows` drawn from all rows: Fisher's exact test."""
    most = min(rows, all_errors)
    if errors * all_rows <= all_errors * rows:
        return 1.0
    term = math.exp(
        _log_choose(all_errors, errors)
        + _log_choose(all_rows - all_errors, rows - errors)
        - _log_choose(all_rows, rows)
    )
    total = term
    for k in range(errors, most):
        term *= (all_errors - k) * (rows - k) / ((k + 1) * (all_rows - all_errors - rows + k + 1))
        total += term
        if term < total * NEGLIGIBLE:
            break
    return min(1.0, total)


def welch_tail(inside: Numbers, outside: Numbers) -> float:
    """Welch's test of whether the mean inside is larger; 1 if a side has fewer than two values."""
    if min(len(inside), len(outside)) < 2:
        return 1.0
    own, other = inside.var(ddof=1) / len(inside), outside.var(ddof=1) / len(outside)
    difference = float(inside.mean() - outside.mean())
    if difference <= 0:
        return 1.0
    if own + other == 0:
        return 0.0
    degrees = (own + other) ** 2 / (own**2 / (len(inside) - 1) + other**2 / (len(outside) - 1))
    return t_tails(difference / math.sqrt(own + other), float(degrees)) / 2


def p_value_of_rate(wrong: Mask, inside: Mask, among: Mask | None) -> float:
    """Of the rows `inside`, compared with the other rows of `among` (None: all)."""
    all_errors, all_rows = (wrong.sum(), len(wrong)) if among is None else ((wrong & among).sum(), among.sum())
    return fisher_tail(int((wrong & inside).sum()), int(inside.sum()), int(all_errors), int(all_rows))


def p_value_of_mean(values: Numbers, inside: Mask, among: Mask | None) -> float:
    return welch_tail(values[inside], values[~inside if among is None else among & ~inside])


def _log_choose(n: int, k: int) -> float:
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
