"""A generated census in the manner of the Adult data, with planted errors."""

from __future__ import annotations

import numpy as np

from seamark.examples.form import ExampleSet, Predictions, ScoredSet
from seamark.examples.schema import ColumnSchema, Schema
from seamark.tables.column import Column, Table

EDUCATIONS = ("HS-grad", "Some-college", "Bachelors", "Masters", "Assoc", "11th", "Doctorate")
OCCUPATIONS = ("Craft", "Exec", "Clerical", "Sales", "Farming", "Service", "Tech", "Transport")
ERROR = 0.1


def named(name: str, codes: np.ndarray, names: tuple[str, ...]) -> Column:
    return Column(name, "category", codes=codes.astype(np.int32), names=names)


def census(rows: int, seed: int = 0, noise_columns: int = 0) -> Table:
    """Columns that depend on each other as in a census, but on nothing else."""
    rng = np.random.default_rng(seed)
    age = np.clip(rng.gamma(6, 6.5, rows), 17, 90).round()
    sex = (rng.random(rows) < 0.48).astype(int)
    education = rng.choice(7, rows, p=[0.33, 0.22, 0.17, 0.08, 0.09, 0.08, 0.03])
    hours = np.clip(rng.normal(41 - 4 * sex, 11), 1, 99).round()
    hours[rng.random(rows) < 0.03] = np.nan
    columns = [
        Column("age", "number", numbers=age),
        named("sex", sex, ("Male", "Female")),
        named("education", education, EDUCATIONS),
        named("occupation", (rng.integers(0, 8, rows) + education) % 8, OCCUPATIONS),
        Column("hours", "number", numbers=hours),
        Column("married", "boolean", numbers=(rng.random(rows) < 0.2 + age / 150).astype(float)),
        Column("gain", "number", numbers=np.where(rng.random(rows) < 0.9, 0, rng.lognormal(8, 1, rows))),
    ]
    for at in range(noise_columns):
        if at % 2:
            columns.append(named(f"noise {at}", rng.integers(-1, 12, rows), tuple(f"v{i}" for i in range(12))))
        else:
            columns.append(Column(f"noise {at}", "number", numbers=rng.normal(size=rows)))
    return Table(rows, tuple(columns))


def with_errors(table: Table, error: np.ndarray, seed: int = 0) -> ScoredSet:
    """A binary model that is wrong with these probabilities."""
    rng = np.random.default_rng([seed, 1])
    truth = rng.random(table.rows) < 0.25
    wrong = rng.random(table.rows) < error
    target = Column("income", "boolean", numbers=truth.astype(float))
    scores = np.where(truth ^ wrong, 0.8, 0.2)
    return scored_set(table, target, Predictions("binary", scores, ("false", "true")), "true")


def scored_set(table: Table, target: Column, predictions: Predictions, positive: str = "") -> ScoredSet:
    features = tuple(ColumnSchema(name=column.name, type=column.type) for column in table.columns)
    schema = Schema(
        columns=(*features, ColumnSchema(name=target.name, type=target.type, role="truth")),
        task=predictions.task,
        target=target.name,
        positive=positive,
    )
    whole = Table(table.rows, (*table.columns, target))
    return ScoredSet(ExampleSet(whole, schema, content_id="generated"), predictions)
