"""Corrections of a schema: merged with what was inferred, and applied to the table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from msgspec.structs import replace

from seamark.examples.form import ExamplesError, ExampleSet
from seamark.examples.infer import class_names, infer_positive, infer_schema
from seamark.examples.prediction_names import PredictionName
from seamark.examples.schema import ColumnSchema, Schema
from seamark.tables.column import Column, Table
from seamark.tables.content import content_hash
from seamark.tables.convert import convert_column


class TypedTable(NamedTuple):
    table: Table
    schema: Schema
    problems: list[str]


class KnownRoles(NamedTuple):
    """Roles that need not be inferred: the source states them."""

    target: str | None = None
    predictions: Mapping[str, PredictionName] | None = None
    positive: str = ""


NOTHING_KNOWN = KnownRoles()


def open_examples(
    table: Table, saved: Schema | None = None, *, known: KnownRoles = NOTHING_KNOWN, table_id: str = ""
) -> ExampleSet:
    """The examples of a table, with the corrections that were saved.

    `table_id` identifies the values, if the source has such an id: it saves hashing them.
    """
    typed = apply_schema(table, saved, known)
    roles = f"{table_id}{typed.schema!r}".encode(errors="surrogatepass")
    return ExampleSet(
        typed.table,
        typed.schema,
        content_id=content_hash(() if table_id else typed.table.columns, salt=roles),
        problems=tuple(typed.problems),
        read_picture=table.read_picture,
    )


def apply_schema(table: Table, saved: Schema | None, known: KnownRoles = NOTHING_KNOWN) -> TypedTable:
    """A column that the saved schema does not name has its inferred type and role."""
    target = known.target
    if saved is not None and (not saved.target or saved.target in table.by_name):
        target = saved.target
    inferred = infer_schema(table, target=target, known_predictions=known.predictions)
    if known.positive:
        inferred = replace(inferred, positive=known.positive)
    schema = inferred if saved is None else _merged(saved, inferred, table)
    problems = [] if saved is None else _unknown_columns(saved, table)
    columns: list[Column] = []
    types: list[ColumnSchema] = []
    for column, entry in zip(table.columns, schema.columns, strict=True):
        converted, problem = convert_column(column, entry.type)
        columns.append(converted)
        types.append(replace(entry, type=converted.type))
        problems += [problem] if problem else []
    typed = Table(table.rows, tuple(columns), table.problems, table.read_picture)
    schema = replace(schema, columns=tuple(types))
    return TypedTable(typed, _with_positive(schema, typed, known.positive), problems)


def _merged(saved: Schema, inferred: Schema, table: Table) -> Schema:
    by_name = {entry.name: entry for entry in saved.columns}
    target = saved.target if saved.target in table.by_name else inferred.target
    columns = [_with_role(by_name.get(entry.name, entry), target) for entry in inferred.columns]
    return Schema(columns=tuple(columns), task=saved.task, target=target, positive=saved.positive)


def _with_role(entry: ColumnSchema, target: str) -> ColumnSchema:
    """The target, and only it, is the truth."""
    if (entry.role == "truth") == (entry.name == target):
        return entry
    return replace(entry, role="truth" if entry.name == target else "feature")


def _with_positive(schema: Schema, table: Table, known: str) -> Schema:
    """With a class of the truth, as the values are now."""
    if schema.task != "binary":
        return replace(schema, positive="")
    truth = table.by_name.get(schema.target)
    if truth is None:
        return schema if schema.positive else replace(schema, positive="1")
    for positive in (schema.positive, known):
        if positive in class_names(truth):
            return replace(schema, positive=positive)
    return replace(schema, positive=infer_positive(table, truth, schema.columns))


def _unknown_columns(saved: Schema, table: Table) -> list[str]:
    unknown = [entry.name for entry in saved.columns if entry.name not in table.by_name]
    if not unknown:
        return []
    return [f"the saved schema names columns that the file does not have: {', '.join(map(repr, unknown[:10]))}"]


def check_schema(schema: Schema, table: Table, known: KnownRoles = NOTHING_KNOWN) -> None:
    """Raises ExamplesError if corrections cannot be applied."""
    names: Mapping[str, Column] = table.by_name
    if not schema.columns and not schema.target:
        raise ExamplesError("the schema names no columns and no target; send null to remove the corrections")
    for entry in schema.columns:
        if entry.name not in names:
            raise ExamplesError(f"the set has no column '{entry.name}'")
        if entry.type == "image" and names[entry.name].type != "image":
            raise ExamplesError(f"the column '{entry.name}' has no pictures: its values name no image files")
    if len({entry.name for entry in schema.columns}) != len(schema.columns):
        raise ExamplesError("the schema names a column twice")
    if schema.target and schema.target not in names:
        raise ExamplesError(f"the set has no column '{schema.target}' for the truth")
    _check_target(schema, apply_schema(table, schema, known))


def _check_target(schema: Schema, typed: TypedTable) -> None:
    truth = typed.table.by_name.get(schema.target)
    if truth is None:
        return
    if schema.task in ("regression", "ranking") and truth.numbers is None:
        raise ExamplesError(f"the truth of a {schema.task} task is a number: '{schema.target}' is {truth.type}")
    if schema.task == "binary" and schema.positive and schema.positive not in class_names(truth):
        raise ExamplesError(f"the positive class is no value of '{schema.target}': got '{schema.positive}'")
    if schema.task == "multiclass" and not class_names(truth):
        raise ExamplesError(f"'{schema.target}' has no classes: it has numbers with fractions or too many values")
