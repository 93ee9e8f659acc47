"""The truth that the command line names, in place of the one that the names of the columns suggest."""

from __future__ import annotations

import dataclasses

import numpy as np
from msgspec.structs import replace

from seamark.examples.infer import TRUTH_NAMES, infer_schema
from seamark.examples.schema import Schema
from seamark.tables.column import Column, Table

MAX_LISTED = 20
BOOLEAN_NAMES = {"yes": "true", "no": "false", "1": "true", "0": "false", "true": "true", "false": "false"}


def with_truth(schema: Schema, table: Table, truth: str, positive: str) -> tuple[Schema, tuple[str, ...]]:
    """The schema, and sentences about what the table does not have."""
    problems: list[str] = []
    if truth and truth not in table.by_name:
        problems.append(f"--truth names the column '{truth}', which the table does not have")
    elif truth and truth != schema.target:
        schema = _with_target(schema, table, truth)
    target = table.by_name.get(schema.target)
    if target is not None and target.type == "boolean":
        positive = BOOLEAN_NAMES.get(positive.lower(), positive)
    if positive:
        problems += _class_problems(schema, table, positive)
        schema = schema if problems else replace(schema, positive=positive)
    return schema, tuple(problems)


def _with_target(schema: Schema, table: Table, truth: str) -> Schema:
    """The task and the positive class are those of the named column; the earlier truth becomes a feature."""
    alone = infer_schema(Table(table.rows, (dataclasses.replace(table.by_name[truth], name=TRUTH_NAMES[0]),)))
    columns = tuple(
        replace(column, role="truth" if column.name == truth else "feature")
        if column.name in (truth, schema.target)
        else column
        for column in schema.columns
    )
    return replace(schema, columns=columns, target=truth, task=alone.task, positive=alone.positive)


def _class_problems(schema: Schema, table: Table, positive: str) -> list[str]:
    truth = table.by_name.get(schema.target)
    if truth is None:
        return ["--positive names a class, but the table has no truth; name its column with --truth"]
    classes = _classes(truth)
    if positive in classes:
        return []
    return [f"--positive names the class '{positive}', which '{truth.name}' does not have; it has {', '.join(classes)}"]


def _classes(truth: Column) -> list[str]:
    if truth.numbers is None:
        return list(truth.names)
    if truth.type == "boolean":
        return ["true", "false"]
    return [f"{value:g}" for value in np.unique(truth.numbers[truth.present])[:MAX_LISTED]]
