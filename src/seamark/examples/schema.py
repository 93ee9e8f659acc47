"""Schema: the type and the role of each column of a set of examples. People correct it; it is saved beside the data."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from seamark.tables.column import ColumnType

Task = Literal["binary", "multiclass", "regression", "ranking"]
# "prediction" columns belong to a model; of several for one model, each has the probability of one class.
Role = Literal["feature", "truth", "prediction", "id", "split", "weight", "group", "ignored"]


class ColumnSchema(Struct, frozen=True, kw_only=True):
    name: str
    type: ColumnType
    role: Role = "feature"
    model: str = ""  # of a prediction: the model's name
    predicted_class: str = ""  # of a prediction: the class whose probability it is; "": the prediction itself


class Schema(Struct, frozen=True, kw_only=True):
    columns: tuple[ColumnSchema, ...]
    task: Task = "binary"
    target: str = ""  # the column with the truth; "": none
    positive: str = ""  # of a binary task: the class that scores are of

    def names_of(self, role: Role) -> list[str]:
        return [column.name for column in self.columns if column.role == role]
