"""FeatureTable and Batch: the features of a set, and some of its rows in the form that a model takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seamark.examples.predict.frames import Array, Header
from seamark.tables.column import MISSING, ColumnType


class InputError(ValueError):
    """Features that the model cannot take. The message is a sentence for people."""


@dataclass(frozen=True, eq=False)
class FeatureTable:
    """Numbers and booleans are the columns of one matrix, so that rows are taken in one copy; names are codes."""

    task: str  # of the set; "" without a truth
    names: tuple[str, ...]
    types: tuple[ColumnType, ...]
    matrix: NDArray[np.float64]  # [rows, numeric features]
    codes: Mapping[int, NDArray[np.int32]]  # by position of the feature
    texts: Mapping[int, Sequence[str]]  # the names that the codes mean
    pictures: Mapping[int, Mapping[str, bytes]]  # of each image column, by name

    @classmethod
    def unpack(cls, task: str, entries: Sequence[Header], arrays: Mapping[str, Array]) -> FeatureTable:
        numeric = [arrays[str(i)] for i, entry in enumerate(entries) if entry["type"] in ("number", "boolean")]
        rows = len(arrays["0"]) if entries else 0
        others = [i for i, entry in enumerate(entries) if entry["type"] not in ("number", "boolean")]
        return cls(
            task,
            tuple(entry["name"] for entry in entries),
            tuple(entry["type"] for entry in entries),
            np.stack(numeric, axis=1) if numeric else np.empty((rows, 0)),
            {i: arrays[str(i)] for i in others},
            {i: entries[i]["names"] for i in others},
            {
                i: unpack_pictures(entries[i]["names"], arrays[f"pictures{i}"], arrays[f"ends{i}"])
                for i in others
                if entries[i]["type"] == "image"
            },
        )

    def take(self, rows: NDArray[np.int64], overrides: Sequence[Header], arrays: Mapping[str, Array]) -> Batch:
        matrix = np.take(self.matrix, rows, axis=0)
        texts = {i: Texts(codes[rows], self.texts[i]) for i, codes in self.codes.items()}
        for number, entry in enumerate(overrides):
            feature, values = entry["feature"], arrays[f"override{number}"]
            if feature in texts:
                texts[feature] = Texts(values, entry["names"])
            else:
                matrix[:, self.position[feature]] = values
        return Batch(self, matrix, texts)

    @cached_property
    def position(self) -> dict[int, int]:
        """The column of the matrix of each numeric feature."""
        numeric = [i for i, type in enumerate(self.types) if type in ("number", "boolean")]
        return {feature: column for column, feature in enumerate(numeric)}

    @cached_property
    def is_all_numbers(self) -> bool:
        return all(type == "number" for type in self.types)

    @cached_property
    def complete_booleans(self) -> frozenset[int]:
        return frozenset(
            i
            for i, type in enumerate(self.types)
            if type == "boolean" and not np.isnan(self.matrix[:, self.position[i]]).any()
        )


@dataclass(frozen=True, eq=False)
class Texts:
    codes: NDArray[np.int32]
    names: Sequence[str]

    def values(self, missing: float | None, pictures: Mapping[str, bytes] | None = None) -> NDArray[np.object_]:
        """The names, or the pictures that they mean."""
        values = np.empty(len(self.names) + 1, object)
        values[: len(self.names)] = (
            self.names if pictures is None else [pictures.get(name, missing) for name in self.names]
        )
        values[MISSING] = missing
        return values[self.codes]

    def codes_in(self, names: Sequence[str]) -> NDArray[np.int32]:
        """MISSING for a name that is not there."""
        position = {name: index for index, name in enumerate(names)}
        moved = np.array([*(position.get(name, MISSING) for name in self.names), MISSING], np.int32)
        return moved[self.codes]


@dataclass(frozen=True, eq=False)
class Batch:
    """Copies: a model may change its input."""

    table: FeatureTable
    numbers: NDArray[np.float64]
    texts: Mapping[int, Texts]

    def __len__(self) -> int:
        return len(self.numbers)

    @property
    def names(self) -> tuple[str, ...]:
        return self.table.names

    def columns(self) -> dict[str, Array]:
        """float64 with NaN, bool (float64 if some are missing), and objects: str, the bytes of a picture, or None."""
        return {name: self._column(i) for i, name in enumerate(self.names)}

    def rows(self) -> list[dict[str, Any]]:
        columns = [[None if v != v else v for v in self._column(i).tolist()] for i in range(len(self.names))]
        return [dict(zip(self.names, values, strict=True)) for values in zip(*columns, strict=True)]

    def dataframe(self, *, as_categories: bool = False) -> Any:
        """As pandas reads a CSV file, but whole numbers are float64: they may be changed to others."""
        import pandas  # only here: a model may do without

        if self.table.is_all_numbers:
            return pandas.DataFrame(self.numbers, columns=list(self.names), copy=False)
        columns: dict[str, Any] = {name: self._column(i) for i, name in enumerate(self.names) if i not in self.texts}
        for i, texts in self.texts.items():
            if as_categories and i not in self.table.pictures:  # in the order that pandas gives them
                known = sorted(self.table.texts[i])
                columns[self.names[i]] = pandas.Categorical.from_codes(texts.codes_in(known), known)
            else:
                values = texts.values(np.nan, self.table.pictures.get(i))
                columns[self.names[i]] = pandas.Series(values, dtype=object, copy=False)
        return pandas.DataFrame(columns, columns=list(self.names), copy=False)

    def matrix(self, names: Sequence[str] = ()) -> NDArray[np.float64]:
        """Numbers and booleans, in the order of `names` if there are any."""
        if self.texts:
            first = min(self.texts)
            what = "pictures" if first in self.table.pictures else "names"
            raise InputError(
                f"the model takes a matrix of numbers, but the feature '{self.names[first]}' has {what}; name a "
                "function that encodes it and calls the model"
            )
        if not names or tuple(names) == self.names:
            return self.numbers
        return self.numbers[:, [self.names.index(name) for name in self.known(names)]]

    def known(self, names: Sequence[str]) -> list[str]:
        """The features that a model names, if the set has all of them.

        LightGBM writes underscores for spaces, and Column_0 … if it was trained without names.
        """
        if len(names) == len(self.names) and all(name == f"Column_{i}" for i, name in enumerate(names)):
            return list(self.names)
        written = {**{name.replace(" ", "_"): name for name in self.names}, **{name: name for name in self.names}}
        missing = [name for name in names if name not in written]
        if missing:
            raise InputError(f"the model takes the feature '{missing[0]}', which the set does not have")
        return [written[name] for name in names]

    def _column(self, index: int) -> Array:
        if index in self.texts:
            return self.texts[index].values(None, self.table.pictures.get(index))
        values = self.numbers[:, self.table.position[index]]
        is_boolean = index in self.table.complete_booleans and not np.isnan(values).any()
        return values.astype(bool) if is_boolean else values


def unpack_pictures(names: Sequence[str], joined: Array, ends: Array) -> dict[str, bytes]:
    """By name. A picture without bytes is missing."""
    spans = zip(names, [0, *ends.tolist()[:-1]], ends.tolist(), strict=True)
    return {name: joined[start:end].tobytes() for name, start, end in spans if end > start}
