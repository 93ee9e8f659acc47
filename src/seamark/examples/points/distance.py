"""FeatureSpace: the distances from a point to all rows of a set.

A number counts by its difference, standardized: in standard deviations of its column. Two different names of a category
cost the probability that two random rows agree in it, as in the What-If Tool: to differ in what most rows share is a
large step. Booleans are categories with two names. Texts and images are left out, because letters and pixels say little
about how alike they are. Not standardized, numbers count in their own units and different names cost 1.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from seamark.examples.form import ExamplesError, ExampleSet, Value
from seamark.examples.points.point import Point, feature_named, make_point
from seamark.tables.column import MISSING, Column, Numbers

Norm = Literal["l1", "l2"]
Distances = NDArray[np.float32]
UNKNOWN = -2  # the code of a name that no row has
# A missing number is so many standard deviations away from every other: about as far as two random rows of a normal
# distribution are from each other.
MISSING_STANDARD_DEVIATIONS = 1.0
MAX_STANDARD_DEVIATIONS = 1e15  # its square and the sum of many of them are still finite as float32


@dataclass(frozen=True)
class DistanceOptions:
    norm: Norm = "l1"
    standardize: bool = True
    features: tuple[str, ...] = ()  # only these; empty: all that can be measured


class FeatureSpace:
    """The measured features of a set, prepared once. For any thread."""

    def __init__(self, examples: ExampleSet) -> None:
        measured = [column for column in examples.features if column.type in ("number", "boolean", "category")]
        self._features = {column.name: _prepare(column) for column in measured}
        self._examples = examples

    def distances(self, point: Point, options: DistanceOptions) -> Distances:
        """From the point to every row."""
        total = np.zeros(self._examples.rows, np.float32)
        scratch = np.empty(self._examples.rows, np.float32)
        for name, feature in self._measured(options.features):
            feature.parts(point.value(name), options.standardize, scratch)
            total += np.square(scratch, out=scratch) if options.norm == "l2" else scratch
        return np.sqrt(total, out=total) if options.norm == "l2" else total

    def parts(self, point: Point, row: int, options: DistanceOptions) -> dict[str, float]:
        """The part that each measured feature has in the distance to one row: of L2, the part of the squared sum."""
        one = np.empty(1, np.float32)
        found = {}
        for name, feature in self._measured(options.features):
            feature.take(row).parts(point.value(name), options.standardize, one)
            found[name] = float(one[0]) ** (2 if options.norm == "l2" else 1)
        return found

    def describe(self, options: DistanceOptions) -> str:
        """How it is measured, in words."""
        kinds = {type(feature) for _, feature in self._measured(options.features)}
        words = [f"{options.norm.upper()}, {'standardized' if options.standardize else 'in the units of each feature'}"]
        if _Names in kinds:
            words.append("categories by frequency" if options.standardize else "different categories cost 1")
        if options.features:
            words.append(f"{len(options.features)} of {len(self._features)} features")
        return "; ".join(words)

    def _measured(self, features: Sequence[str]) -> list[tuple[str, _Numbers | _Names]]:
        for name in features:
            if name not in self._features:
                column = feature_named(self._examples, name)
                raise ExamplesError(f"a {column.type} has no distance, want a number, category or boolean: '{name}'")
        if not self._features:
            raise ExamplesError("the set has no feature with a distance, want a number, category or boolean")
        return [(name, self._features[name]) for name in features or self._features]


_SPACES: WeakKeyDictionary[ExampleSet, FeatureSpace] = WeakKeyDictionary()
_SPACES_LOCK = threading.Lock()


def feature_space(examples: ExampleSet) -> FeatureSpace:
    """The space of a set, made by the first caller."""
    with _SPACES_LOCK:
        space = _SPACES.get(examples)
        if space is None:
            space = _SPACES[examples] = FeatureSpace(examples)
        return space


def distance_column(examples: ExampleSet, row: int, options: DistanceOptions | None = None) -> Distances:
    """The distance of every row from one row, for a plot."""
    return feature_space(examples).distances(make_point(examples, row, {}), options or DistanceOptions())


@dataclass(frozen=True, eq=False)
class _Numbers:
    """`standardized` is NaN where the value is missing."""

    standardized: NDArray[np.float32]
    mean: float
    deviation: float  # 1 if all values are equal
    low: float  # infinities count as these
    high: float

    def take(self, row: int) -> _Numbers:
        return _Numbers(self.standardized[row : row + 1], self.mean, self.deviation, self.low, self.high)

    def parts(self, value: Value, standardize: bool, out: Distances) -> None:
        if value is None:
            np.multiply(
                ~np.isnan(self.standardized), np.float32(MISSING_STANDARD_DEVIATIONS), out=out, casting="unsafe"
            )
        else:
            np.subtract(self.standardized, self._standardize(float(value)), out=out)
            np.abs(out, out=out)
            np.copyto(out, np.float32(MISSING_STANDARD_DEVIATIONS), where=np.isnan(out))
        if not standardize:
            np.multiply(out, min(self.deviation, MAX_STANDARD_DEVIATIONS), out=out, casting="unsafe")
            np.minimum(out, MAX_STANDARD_DEVIATIONS, out=out)

    def _standardize(self, value: float) -> np.float32:
        inside = self.low if value == -np.inf else self.high if value == np.inf else value
        with np.errstate(over="ignore"):
            far = np.float64(inside) / self.deviation - np.float64(self.mean) / self.deviation
        return np.float32(np.clip(far, -MAX_STANDARD_DEVIATIONS, MAX_STANDARD_DEVIATIONS))


@dataclass(frozen=True, eq=False)
class _Names:
    codes: NDArray[np.int32]
    code_of: dict[Value, int]
    agreement: float  # the probability that two random rows agree

    def take(self, row: int) -> _Names:
        return _Names(self.codes[row : row + 1], self.code_of, self.agreement)

    def parts(self, value: Value, standardize: bool, out: Distances) -> None:
        code = MISSING if value is None else self.code_of.get(value, UNKNOWN)
        np.multiply(self.codes != code, np.float32(self.agreement if standardize else 1.0), out=out, casting="unsafe")


def _prepare(column: Column) -> _Numbers | _Names:
    if column.type == "number":
        assert column.numbers is not None
        return _prepare_numbers(column.numbers)
    if column.numbers is not None:
        codes = np.where(np.isnan(column.numbers), MISSING, column.numbers).astype(np.int32)
        return _Names(codes, {False: 0, True: 1}, _agreement(codes))
    assert column.codes is not None
    code_of: dict[Value, int] = {name: code for code, name in enumerate(column.names)}
    return _Names(column.codes, code_of, _agreement(column.codes))


def _prepare_numbers(numbers: Numbers) -> _Numbers:
    finite = numbers[np.isfinite(numbers)]
    # Of numbers near the largest float the square would overflow, so that they are scaled down first.
    largest = float(np.abs(finite).max(initial=0.0)) or 1.0
    shrunk = finite / largest
    mean = float(shrunk.mean()) * largest if finite.size else 0.0
    deviation = float(shrunk.std()) * largest if finite.size else 0.0
    # The mean of equal numbers may differ from them by a rounding error.
    if not deviation > 1e-12 * largest or np.ptp(shrunk) == 0:
        mean, deviation = (float(finite[0]) if finite.size else 0.0), 1.0
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 0.0)
    low, high = max(low - deviation, -np.finfo(np.float64).max), min(high + deviation, np.finfo(np.float64).max)
    clipped = np.clip(numbers, low, high)  # keeps NaN
    standardized = clipped / deviation - mean / deviation
    limited = np.clip(standardized, -MAX_STANDARD_DEVIATIONS, MAX_STANDARD_DEVIATIONS)
    return _Numbers(limited.astype(np.float32), mean, deviation, low, high)


def _agreement(codes: NDArray[np.int32]) -> float:
    counts = np.bincount(codes - MISSING)
    return float(np.square(counts / max(1, len(codes))).sum())
