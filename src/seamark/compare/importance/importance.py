"""Which hyperparameters matter: permutation importance of a random forest, out of bag. Rules: docs/comparing.md.

The forest learns the target from the hyperparameters. Then each hyperparameter is shuffled among the runs and the trees
predict the runs they were not fitted to. The increase of the squared error, divided by twice the target's variance, is
the share of the variance that this hyperparameter accounts for, alone and in combination with others.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seamark.compare.columns.column import NUMBERS, Column
from seamark.compare.importance.forest import BINS, TREES, Codes, grow

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

MIN_RUNS = 20
SHUFFLES = 5
SEED = 0
MAX_RUNS = 2000
MAX_PARAMS = 100
MIN_CATEGORY = 4
MAX_CATEGORIES = 50
# Target values more than this many interquartile ranges outside the middle half are clipped.
MAX_IQRS = 3.0
METHOD = (
    f"permutation importance of a random forest ({TREES} trees, out of bag): the share of the target's variance "
    "that a hyperparameter accounts for"
)


@dataclass(frozen=True, slots=True)
class Param:
    """A column as the trees read it: numbers, or indices into `labels`; NaN where a run has no value."""

    id: str
    type: str  # "number", "bool" or "text"
    values: Floats
    labels: tuple[str, ...] = ()

    @property
    def is_ordered(self) -> bool:
        return self.type == "number"

    @property
    def present(self) -> NDArray[np.bool_]:
        return ~np.isnan(self.values)

    @property
    def categories(self) -> Ints:
        """Indices into `labels`; −1 where a run has no value."""
        return np.where(self.present, self.values, -1).astype(np.int64)

    @property
    def varies(self) -> bool:
        return len(np.unique(self.values)) > 1  # np.unique counts all NaN once

    def take(self, rows: NDArray[np.intp]) -> Param:
        return Param(self.id, self.type, self.values[rows], self.labels)


@dataclass(frozen=True, slots=True)
class Importance:
    id: str
    importance: float
    deviation: float
    where: str  # the best values: "low", "mid", "high", or the value; "" if there is no clear answer


@dataclass(frozen=True, slots=True)
class Importances:
    importances: list[Importance]
    explained: float | None  # the share of the variance that the forest explains, out of bag
    problem: str


def param_of(column: Column, rows: NDArray[np.intp]) -> Param:
    present = column.present[rows]
    if column.type in NUMBERS or column.type == "bool":
        values = np.where(present, column.values[rows].astype(np.float64), np.nan)
        is_bool = column.type == "bool"
        return Param(column.id, "bool" if is_bool else "number", values, ("false", "true") if is_bool else ())
    cells = column.cells(rows)
    texts = [None if cell is None else ", ".join(cell) if isinstance(cell, list) else str(cell) for cell in cells]
    labels = tuple(sorted({text for text in texts if text is not None}))
    index = {label: at for at, label in enumerate(labels)}
    values = np.array([math.nan if text is None else index[text] for text in texts], dtype=np.float64)
    return Param(column.id, "text", values, labels)


def without_rare(param: Param) -> Param:
    """Merges the categories of few runs into one: otherwise the trees would memorize names and ids."""
    if param.is_ordered:
        return param
    categories = param.categories
    counts = np.bincount(categories[categories >= 0], minlength=len(param.labels))
    common = np.flatnonzero(counts >= max(MIN_CATEGORY, len(categories) / MAX_CATEGORIES))
    index = np.full(len(param.labels) + 1, float(len(common)))
    index[common] = np.arange(len(common))
    index[-1] = np.nan
    return Param(param.id, param.type, index[categories], (*(param.labels[at] for at in common), "other"))


def clip_outliers(target: Floats) -> Floats:
    """Clips the targets of a few diverged runs, which would otherwise dominate the variance."""
    low, high = np.quantile(target, [0.25, 0.75])
    reach = MAX_IQRS * (high - low)
    return np.clip(target, low - reach, high + reach) if reach > 0 else target


def importances(params: Sequence[Param], target: Floats, *, goal: str, seed: int = SEED) -> Importances:
    """`target` is finite, and every param is as long. Params that do not vary are ignored."""
    merged = {param.id: without_rare(param) for param in params}
    varying = [param for param in merged.values() if param.varies]
    problem = blocking_problem(len(target), target, varying)
    if problem:
        return Importances([], None, problem)
    y = clip_outliers(target)
    rows = chosen_rows(len(y), seed)
    chosen = strongest([param.take(rows) for param in varying], y[rows])
    found, explained = forest_importances(chosen, y[rows], seed=seed)
    by_id = {param.id: param for param in params}
    result = [
        Importance(param.id, max(0.0, mean), spread, where_best(by_id[param.id], y, goal))
        for param, (mean, spread) in zip(chosen, found, strict=True)
    ]
    result += [Importance(param.id, 0.0, 0.0, "") for param in params if param.varies and not merged[param.id].varies]
    result.sort(key=lambda one: (-one.importance, one.id))
    return Importances(result, explained, caveats(len(target), len(varying), explained))


def blocking_problem(count: int, target: Floats, varying: Sequence[Param]) -> str:
    if count < MIN_RUNS:
        return f"{count} runs have a value of the target; {MIN_RUNS} are needed to compute importances"
    if not varying:
        return "no hyperparameter differs between these runs"
    if np.ptp(target) == 0:
        return "the target is the same in all of these runs"
    return ""


def caveats(count: int, varying: int, explained: float) -> str:
    parts = []
    if explained < 0.05:
        parts.append(
            "these hyperparameters explain almost none of the target's variance: the importances are due to chance"
        )
    if count > MAX_RUNS:
        parts.append(f"computed from {MAX_RUNS:,} of {count:,} runs, drawn at random")
    if varying > MAX_PARAMS:
        parts.append(
            f"only the {MAX_PARAMS} of {varying} hyperparameters that correlate most with the target are included"
        )
    return "; ".join(parts)


def chosen_rows(count: int, seed: int) -> NDArray[np.intp]:
    if count <= MAX_RUNS:
        return np.arange(count)
    return np.sort(np.random.default_rng([seed, count]).choice(count, MAX_RUNS, replace=False))


def strongest(params: Sequence[Param], y: Floats) -> list[Param]:
    """At most MAX_PARAMS, ranked by the variance of the target between the groups of their values."""
    if len(params) <= MAX_PARAMS:
        return list(params)
    strengths = [between_groups(plain_codes(param), y) for param in params]
    order = np.argsort([-strength for strength in strengths], kind="stable")[:MAX_PARAMS]
    return [params[at] for at in sorted(order.tolist())]


def between_groups(codes: Codes, y: Floats) -> float:
    """The variance between groups, corrected for their number: many small groups differ by chance."""
    counts, sums = np.bincount(codes), np.bincount(codes, y)
    groups = int((counts > 0).sum())
    if groups >= len(y):
        return 0.0
    between = float((sums[counts > 0] ** 2 / counts[counts > 0]).sum() - y.sum() ** 2 / len(y))
    within = float(((y - y.mean()) ** 2).sum()) - between
    return between - within * (groups - 1) / (len(y) - groups)


def forest_importances(params: Sequence[Param], y: Floats, *, seed: int) -> tuple[list[tuple[float, float]], float]:
    """Mean and standard deviation over shuffles for each param, and the share of variance the forest explains."""
    forest = grow(y, codes_of(params, y), columns_per_split=max(2, math.ceil(len(params) / 3)), seed=seed)
    trees, rows = forest.out_of_bag
    predicted, used = forest.predict(trees, rows), forest.used_columns(trees, rows)
    counts = np.bincount(rows, minlength=len(y))
    has_prediction = counts > 0  # with few rows, one may be in every tree's resample
    total: Floats = np.bincount(rows, predicted, len(y)).astype(np.float64)
    variance = float(y[has_prediction].var()) or np.finfo(np.float64).tiny

    def error_of(sums: Floats) -> float:
        """The squared error of the mean out-of-bag prediction of each row."""
        return float(np.mean((y[has_prediction] - sums[has_prediction] / counts[has_prediction]) ** 2))

    error, rng = error_of(total), np.random.default_rng([seed, 1])
    found = []
    for at in range(len(params)):
        affected = np.flatnonzero(used[:, at])
        increases = []
        for _ in range(SHUFFLES):
            order = rng.permutation(len(y))[rows[affected]]
            shuffled = forest.predict(trees[affected], rows[affected], column=at, taken_from=order)
            changed = np.bincount(rows[affected], shuffled - predicted[affected], len(y))
            increases.append((error_of(total + changed) - error) / (2 * variance))
        found.append((float(np.mean(increases)), float(np.std(increases, ddof=1))))
    return found, 1 - error / variance


def codes_of(params: Sequence[Param], y: Floats) -> Callable[[Ints], Codes]:
    """Returns a function from a tree's resample to its codes: 0 for a missing value, else ordered by size.

    Each tree orders categories by the mean target of the runs in its resample, so that the order is tested on runs that
    it does not depend on. Categories that are not in the resample count as missing.
    """
    fixed = np.stack([plain_codes(param) if param.is_ordered else np.zeros(len(y), np.uint8) for param in params], 1)

    def of_bag(bag: Ints) -> Codes:
        codes = fixed.copy()
        for at, param in enumerate(params):
            if not param.is_ordered:
                codes[:, at] = ordered_categories(param, y, bag)
        return codes

    return of_bag


def plain_codes(param: Param) -> Codes:
    """Numbers in at most BINS − 1 bins of about as many runs each, equal values in one bin. Categories unordered."""
    if not param.is_ordered:
        return np.minimum(param.categories + 1, 255).astype(np.uint8)
    codes = np.zeros(len(param.values), np.uint8)
    there = param.present
    values = param.values[there]
    distinct = np.unique(values)
    if len(distinct) > BINS - 1:
        cuts = np.sort(values)[np.linspace(0, len(values) - 1, BINS)[1:-1].astype(int)]
        codes[there] = 1 + np.searchsorted(np.unique(cuts), values, side="left")
    else:
        codes[there] = 1 + np.searchsorted(distinct, values)
    return codes


def ordered_categories(param: Param, y: Floats, bag: Ints) -> Codes:
    count, categories = len(param.labels), param.categories
    there = categories >= 0
    weights = np.bincount(categories[there], bag[there], count)
    sums = np.bincount(categories[there], bag[there] * y[there], count)
    seen = weights > 0
    order = np.argsort(np.where(seen, sums / np.where(seen, weights, 1), np.inf), kind="stable")
    rank = np.empty(count + 1, np.int64)
    rank[order] = np.arange(count)
    # With more categories than bins, neighbours in this order share a bin.
    bins = 1 + rank[:count] * min(BINS - 1, seen.sum()) // max(1, seen.sum())
    table = np.append(np.where(seen, bins, 0), 0)  # index −1 is the last entry: missing
    return np.asarray(table[categories], dtype=np.uint8)


def where_best(param: Param, y: Floats, goal: str) -> str:
    """The values that are clearly more frequent in the best fifth of the runs than in all runs, or ""."""
    count = max(5, len(y) // 5)
    best = np.argsort(y if goal == "min" else -y, kind="stable")[:count]
    values = np.unique(param.values[param.present]) if param.is_ordered else np.empty(0)
    if param.is_ordered and len(values) > 5:
        # Equal values share the mean of their ranks.
        ordered = np.sort(param.values[param.present])
        rank = (np.searchsorted(ordered, param.values, "left") + np.searchsorted(ordered, param.values, "right")) / 2
        third = np.minimum((3 * rank / len(ordered)).astype(int), 2)
        groups, labels = np.where(param.present, third, -1), ["low", "mid", "high"]
    elif param.is_ordered:
        groups = np.where(param.present, np.searchsorted(values, param.values), -1)
        labels = [f"{value:g}" for value in values]
    else:
        groups, labels = param.categories, list(param.labels)
    return most_overrepresented(groups, labels, best)


def most_overrepresented(groups: Ints, labels: Sequence[str], best: Ints) -> str:
    """The group whose share of the best runs exceeds its share of all runs most, if by 2.5 standard errors."""
    every = np.bincount(groups + 1, minlength=len(labels) + 1)[1:] / len(groups)
    top = np.bincount(groups[best] + 1, minlength=len(labels) + 1)[1:] / len(best)
    at = int(np.argmax(top - every))
    error = math.sqrt(every[at] * (1 - every[at]) / len(best))
    return labels[at] if top[at] - every[at] > 2.5 * error else ""
