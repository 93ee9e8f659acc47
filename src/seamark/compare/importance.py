"""Which hyperparameters matter: permutation importance of a random forest, out of bag. Rules: docs/comparing.md.

The forest learns the target from the hyperparameters. Then one of them is shuffled among the runs and the forest asked
again about runs that its trees have not seen: what its squared error grows by, over twice the target's variance, is the
share of the variance that this hyperparameter accounts for, alone and together with others.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seamark.compare.columns import NUMBERS, Column
from seamark.compare.forest import BINS, TREES, Codes, grow

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

NEEDED = 20
SHUFFLES = 5
SEED = 0
MAX_RUNS = 2000
MAX_PARAMS = 100
MIN_CATEGORY = 4
MAX_CATEGORIES = 50
# Values further than this many interquartile ranges from the middle half count as if they lay there.
FENCE = 3.0
METHOD = (
    f"permutation importance of a random forest ({TREES} trees, out of bag): the share of the target's variance "
    "that a hyperparameter accounts for"
)


@dataclass(frozen=True, slots=True)
class Param:
    """A column of runs, ready for trees: numbers, or places in `labels`; NaN where a run has no value."""

    id: str
    kind: str  # "number", "bool" or "text"
    values: Floats
    labels: tuple[str, ...] = ()

    @property
    def is_ordered(self) -> bool:
        return self.kind == "number"

    @property
    def present(self) -> NDArray[np.bool_]:
        return ~np.isnan(self.values)

    @property
    def categories(self) -> Ints:
        """Places in `labels`, −1 where there is none."""
        return np.where(self.present, self.values, -1).astype(np.int64)

    @property
    def varies(self) -> bool:
        return len(np.unique(self.values)) > 1  # of several NaN one is left

    def take(self, rows: NDArray[np.intp]) -> Param:
        return Param(self.id, self.kind, self.values[rows], self.labels)


@dataclass(frozen=True, slots=True)
class Importance:
    id: str
    importance: float
    deviation: float
    where: str  # the best values: "low", "mid", "high", or the value; "" when they lie anywhere


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
    place = {label: at for at, label in enumerate(labels)}
    values = np.array([math.nan if text is None else place[text] for text in texts], dtype=np.float64)
    return Param(column.id, "text", values, labels)


def without_rare(param: Param) -> Param:
    """Categories of few runs become one: names and ids would otherwise be learnt by heart."""
    if param.is_ordered:
        return param
    categories = param.categories
    counts = np.bincount(categories[categories >= 0], minlength=len(param.labels))
    common = np.flatnonzero(counts >= max(MIN_CATEGORY, len(categories) / MAX_CATEGORIES))
    place = np.full(len(param.labels) + 1, float(len(common)))
    place[common] = np.arange(len(common))
    place[-1] = np.nan
    return Param(param.id, param.kind, place[categories], (*(param.labels[at] for at in common), "other"))


def fenced(target: Floats) -> Floats:
    """Without the reach of a few runs that went astray: they would be all there is to explain."""
    low, high = np.quantile(target, [0.25, 0.75])
    reach = FENCE * (high - low)
    return np.clip(target, low - reach, high + reach) if reach > 0 else target


def importances(params: Sequence[Param], target: Floats, *, goal: str, seed: int = SEED) -> Importances:
    """`target` is finite; every param is as long. Those that do not vary have no part in it."""
    learnt = {param.id: without_rare(param) for param in params}
    varying = [param for param in learnt.values() if param.varies]
    problem = reason_not(len(target), target, varying)
    if problem:
        return Importances([], None, problem)
    y = fenced(target)
    rows = chosen_rows(len(y), seed)
    kept = strongest([param.take(rows) for param in varying], y[rows])
    found, explained = forest_importances(kept, y[rows], seed=seed)
    by_id = {param.id: param for param in params}
    told = [
        Importance(param.id, max(0.0, mean), spread, where_best(by_id[param.id], y, goal))
        for param, (mean, spread) in zip(kept, found, strict=True)
    ]
    told += [Importance(param.id, 0.0, 0.0, "") for param in params if param.varies and not learnt[param.id].varies]
    told.sort(key=lambda one: (-one.importance, one.id))
    return Importances(told, explained, shortcomings(len(target), len(varying), explained))


def reason_not(count: int, target: Floats, varying: Sequence[Param]) -> str:
    if count < NEEDED:
        return f"{count} runs have a value of the target; {NEEDED} are needed to tell what mattered"
    if not varying:
        return "no hyperparameter differs between these runs"
    if np.ptp(target) == 0:
        return "the target is the same in all of these runs"
    return ""


def shortcomings(count: int, varying: int, explained: float) -> str:
    said = []
    if explained < 0.05:
        said.append("these hyperparameters explain next to nothing of the target: what is told is chance")
    if count > MAX_RUNS:
        said.append(f"worked out from {MAX_RUNS:,} of {count:,} runs, drawn at random")
    if varying > MAX_PARAMS:
        said.append(f"the {MAX_PARAMS} of {varying} hyperparameters that go along with the target most were looked at")
    return "; ".join(said)


def chosen_rows(count: int, seed: int) -> NDArray[np.intp]:
    if count <= MAX_RUNS:
        return np.arange(count)
    return np.sort(np.random.default_rng([seed, count]).choice(count, MAX_RUNS, replace=False))


def strongest(params: Sequence[Param], y: Floats) -> list[Param]:
    """At most MAX_PARAMS, by how much of the target's variance lies between the groups of their values."""
    if len(params) <= MAX_PARAMS:
        return list(params)
    strengths = [between_groups(plain_codes(param), y) for param in params]
    order = np.argsort([-strength for strength in strengths], kind="stable")[:MAX_PARAMS]
    return [params[at] for at in sorted(order.tolist())]


def between_groups(codes: Codes, y: Floats) -> float:
    """Corrected for the number of groups: many small ones differ by chance."""
    counts, sums = np.bincount(codes), np.bincount(codes, y)
    groups = int((counts > 0).sum())
    if groups >= len(y):
        return 0.0
    between = float((sums[counts > 0] ** 2 / counts[counts > 0]).sum() - y.sum() ** 2 / len(y))
    within = float(((y - y.mean()) ** 2).sum()) - between
    return between - within * (groups - 1) / (len(y) - groups)


def forest_importances(params: Sequence[Param], y: Floats, *, seed: int) -> tuple[list[tuple[float, float]], float]:
    """Mean and standard deviation over shuffles for each param, and what the forest explains."""
    forest = grow(y, codes_of(params, y), columns_per_split=max(2, math.ceil(len(params) / 3)), seed=seed)
    trees, rows = forest.outside
    said, looked_at = forest.predict(trees, rows), forest.asked_columns(trees, rows)
    counts = np.bincount(rows, minlength=len(y))
    asked = counts > 0  # a row may be in every tree, where there are few
    total: Floats = np.bincount(rows, said, len(y)).astype(np.float64)
    variance = float(y[asked].var()) or np.finfo(np.float64).tiny

    def error_of(sums: Floats) -> float:
        """Of the mean of what the trees say that a row is not in."""
        return float(np.mean((y[asked] - sums[asked] / counts[asked]) ** 2))

    error, rng = error_of(total), np.random.default_rng([seed, 1])
    found = []
    for at in range(len(params)):
        touched = np.flatnonzero(looked_at[:, at])
        grown = []
        for _ in range(SHUFFLES):
            order = rng.permutation(len(y))[rows[touched]]
            anew = forest.predict(trees[touched], rows[touched], column=at, taken_from=order)
            changed = np.bincount(rows[touched], anew - said[touched], len(y))
            grown.append((error_of(total + changed) - error) / (2 * variance))
        found.append((float(np.mean(grown)), float(np.std(grown, ddof=1))))
    return found, 1 - error / variance


def codes_of(params: Sequence[Param], y: Floats) -> Callable[[Ints], Codes]:
    """Small numbers for the trees: 0 where there is no value, else by size.

    Categories have no size. In each tree they are ordered by the mean target of the runs in its resample, so that what
    is learnt from their order is tested on runs that had no part in it; those not in the resample count as missing.
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
    """By size, at most BINS − 1 of about as many runs each; equal values stay together. Categories as they are."""
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
    # More categories than bins: neighbours in this order share one.
    bins = 1 + rank[:count] * min(BINS - 1, seen.sum()) // max(1, seen.sum())
    table = np.append(np.where(seen, bins, 0), 0)  # −1, the last, is missing
    return np.asarray(table[categories], dtype=np.uint8)


def where_best(param: Param, y: Floats, goal: str) -> str:
    """Where the best fifth of the runs has its values, when it has clearly more there than all runs have."""
    count = max(5, len(y) // 5)
    best = np.argsort(y if goal == "min" else -y, kind="stable")[:count]
    values = np.unique(param.values[param.present]) if param.is_ordered else np.empty(0)
    if param.is_ordered and len(values) > 5:
        # The middle of equal values' ranks, from 0 to 1.
        ordered = np.sort(param.values[param.present])
        rank = (np.searchsorted(ordered, param.values, "left") + np.searchsorted(ordered, param.values, "right")) / 2
        third = np.minimum((3 * rank / len(ordered)).astype(int), 2)
        groups, labels = np.where(param.present, third, -1), ["low", "mid", "high"]
    elif param.is_ordered:
        groups = np.where(param.present, np.searchsorted(values, param.values), -1)
        labels = [f"{value:g}" for value in values]
    else:
        groups, labels = param.categories, list(param.labels)
    return most_gained(groups, labels, best)


def most_gained(groups: Ints, labels: Sequence[str], best: Ints) -> str:
    """The group whose share among the best exceeds its share of all the most; by 2.5 standard errors at least."""
    every = np.bincount(groups + 1, minlength=len(labels) + 1)[1:] / len(groups)
    top = np.bincount(groups[best] + 1, minlength=len(labels) + 1)[1:] / len(best)
    at = int(np.argmax(top - every))
    error = math.sqrt(every[at] * (1 - every[at]) / len(best))
    return labels[at] if top[at] - every[at] > 2.5 * error else ""
