"""A generated census of adults, in the manner of UCI's "Adult", with a bias that was planted on purpose.

No person in it exists. Incomes follow one rule, but for women with a Bachelor's degree or more a third of them were
exchanged at random. The model, a logistic regression without interactions, cannot know that: its error is clearly worst
where sex = Female and education_years >= 13.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

ROWS = 32_000
SEED = 1994
Floats = NDArray[np.float64]
Columns = dict[str, NDArray[Any]]

EDUCATION = ("9th", "11th", "HS-grad", "Some-college", "Assoc", "Bachelors", "Masters", "Doctorate")
EDUCATION_SHARES = (0.06, 0.08, 0.32, 0.22, 0.08, 0.16, 0.06, 0.02)
YEARS = (5, 7, 9, 10, 12, 13, 14, 16)
OCCUPATIONS = ("Clerical", "Craft", "Executive", "Farming", "Professional", "Sales", "Service", "Transport")
OCCUPATION_LIFT = (-0.3, 0.0, 0.8, -0.8, 0.6, 0.1, -0.7, -0.1)
WORKCLASSES = ("Private", "Self-employed", "Government", "Unpaid")
WORKCLASS_SHARES = (0.74, 0.12, 0.135, 0.005)
MARRIAGES = ("Married", "Never-married", "Divorced", "Widowed")
RACES = ("White", "Black", "Asian", "Other")
RACE_SHARES = (0.85, 0.1, 0.035, 0.015)
COUNTRIES = ("United-States", "Mexico", "Philippines", "Germany", "Other")
COUNTRY_SHARES = (0.9, 0.03, 0.015, 0.01, 0.045)
BACHELORS_YEARS = 13
# Of the planted group, so many have the other income than the rule gives them.
PLANTED_FLIPS = 0.35
TRAINING_STEPS, RIDGE, MIN_CHANGE = 25, 1.0, 1e-6
HIGH, LOW = ">50K", "<=50K"
UNUSED = ("split", "education")  # education_years says the same


class Census(NamedTuple):
    columns: Columns  # with `split`: "train" or "test"
    is_high: NDArray[np.bool_]  # the truth
    scores: Floats  # the model's probability of an income above 50K
    is_planted: NDArray[np.bool_]  # the rows of the group whose incomes are biased


def make_census(rows: int = ROWS, seed: int = SEED) -> Census:
    """The same rows for the same seed."""
    random = np.random.default_rng(seed)
    columns = make_people(random, rows)
    is_planted = (columns["sex"] == "Female") & (columns["education_years"] >= BACHELORS_YEARS)
    is_high = random.random(rows) < sigmoid(true_log_odds(columns))
    is_high ^= is_planted & (random.random(rows) < PLANTED_FLIPS)
    is_train = random.random(rows) < 0.7
    columns["split"] = np.where(is_train, "train", "test")
    return Census(columns, is_high, fit_model(columns, is_high).predict(columns), is_planted)


def table_of(census: Census) -> Columns:
    """All columns, with the truth as `income` and the predictions as `score`."""
    income = np.where(census.is_high, HIGH, LOW)
    return {**census.columns, "income": income, "score": census.scores.round(6)}


def make_people(random: np.random.Generator, rows: int) -> Columns:
    age = (17 + random.gamma(2.6, 8.6, rows)).clip(17, 90).astype(np.int64)
    is_male = random.random(rows) < 0.67
    education = random.choice(len(EDUCATION), rows, p=EDUCATION_SHARES)
    years = np.array(YEARS)[education]
    is_married = random.random(rows) < sigmoid((age - 33) / 9) * 0.72
    unmarried = np.where(age > 62, 3, np.where(random.random(rows) < sigmoid((age - 40) / 7), 2, 1))
    occupation = _by_education(random, years)
    gains = np.where(random.random(rows) < 0.08, random.lognormal(8.6, 1.0, rows), 0.0)
    return {
        "age": age,
        "workclass": np.array(WORKCLASSES)[random.choice(len(WORKCLASSES), rows, p=WORKCLASS_SHARES)],
        "education": np.array(EDUCATION)[education],
        "education_years": years,
        "marital_status": np.array(MARRIAGES)[np.where(is_married, 0, unmarried)],
        "occupation": np.array(OCCUPATIONS)[occupation],
        "race": np.array(RACES)[random.choice(len(RACES), rows, p=RACE_SHARES)],
        "sex": np.where(is_male, "Male", "Female"),
        "capital_gain": gains.clip(0, 99_999).round(),
        "hours_per_week": random.normal(40.5 + 2.5 * is_male, 11, rows).clip(1, 99).round(),
        "native_country": np.array(COUNTRIES)[random.choice(len(COUNTRIES), rows, p=COUNTRY_SHARES)],
    }


def _by_education(random: np.random.Generator, years: NDArray[np.int64]) -> NDArray[np.int64]:
    """More years of school make an executive or professional more likely."""
    lift = np.array(OCCUPATION_LIFT)
    log_odds = np.outer((years - 10) / 3, lift) + random.gumbel(size=(len(years), len(lift)))
    return np.asarray(log_odds.argmax(axis=1), np.int64)


def true_log_odds(columns: Columns) -> Floats:
    """Of an income above 50K, before the bias is planted."""
    age = columns["age"].astype(np.float64)
    lift = dict(zip(OCCUPATIONS, OCCUPATION_LIFT, strict=True))
    odds = -4.2 + 0.62 * (columns["education_years"] - 9.0) + 0.085 * (age - 20) - 0.0009 * (age - 20) ** 2
    odds += 2.1 * (columns["marital_status"] == "Married") + 0.05 * (columns["hours_per_week"] - 40)
    odds += np.array([lift[name] for name in columns["occupation"].tolist()])
    odds += 3.0 * (columns["capital_gain"] > 5000) + 0.25 * (columns["sex"] == "Male")
    return np.asarray(1.6 * odds - 1.5, np.float64)


class Encoding(NamedTuple):
    """How rows become numbers: standardized numbers, indicators of names, and a constant; no products of features."""

    scales: dict[str, tuple[float, float]]  # the mean and the deviation of each column of numbers
    names: dict[str, tuple[str, ...]]  # of each column of names, without the first, which all zeros stand for

    @classmethod
    def fit(cls, columns: Columns) -> Encoding:
        used = {name: values for name, values in columns.items() if name not in UNUSED}
        numbers = {name: _numbers(name, values) for name, values in used.items() if values.dtype.kind in "if"}
        scales = {name: (float(n.mean()), max(1e-12, float(n.std()))) for name, n in numbers.items()}
        names = {name: tuple(np.unique(values)[1:].tolist()) for name, values in used.items() if name not in scales}
        return cls(scales, names)

    def matrix(self, columns: Columns) -> Floats:
        """A missing number counts as the mean; a name that is missing or unknown as none of the names."""
        parts = [
            np.nan_to_num((_numbers(name, columns[name]) - mean) / deviation)[:, None]
            for name, (mean, deviation) in self.scales.items()
        ]
        parts += [
            (columns[name][:, None] == np.array(names, object)[None, :]).astype(np.float64)
            for name, names in self.names.items()
        ]
        return np.concatenate([*parts, np.ones((len(parts[0]), 1))], axis=1)


class LogisticModel(NamedTuple):
    encoding: Encoding
    weights: Floats

    def predict(self, columns: Columns) -> Floats:
        """The probability of an income above 50K."""
        return sigmoid(self.encoding.matrix(columns) @ self.weights)


def fit_model(columns: Columns, is_high: NDArray[np.bool_]) -> LogisticModel:
    """Fitted to the rows of the split "train"."""
    encoding = Encoding.fit(columns)
    is_train = columns["split"] == "train"
    return LogisticModel(encoding, fit_logistic(encoding.matrix(columns)[is_train], is_high[is_train]))


def _numbers(name: str, values: NDArray[Any]) -> Floats:
    return np.log1p(values) if name == "capital_gain" else values.astype(np.float64)


def fit_logistic(matrix: Floats, is_high: NDArray[np.bool_]) -> Floats:
    """Logistic regression by Newton's method, with a small ridge."""
    weights = np.zeros(matrix.shape[1])
    for _ in range(TRAINING_STEPS):
        probability = sigmoid(matrix @ weights)
        gradient = matrix.T @ (probability - is_high) + RIDGE * weights
        curvature = (matrix * (probability * (1 - probability))[:, None]).T @ matrix
        step = np.linalg.solve(curvature + RIDGE * np.eye(len(weights)), gradient)
        weights -= step
        if float(np.abs(step).max()) < MIN_CHANGE:
            break
    return weights


def sigmoid(values: Any) -> Floats:
    return np.asarray(1 / (1 + np.exp(-np.asarray(values, np.float64).clip(-40, 40))), np.float64)
