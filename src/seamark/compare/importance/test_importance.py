"""Importances of synthetic sweeps whose true shares of the variance are known."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from seamark.compare.importance.effects import MAX_CATEGORIES, effect_of
from seamark.compare.importance.importance import MAX_PARAMS, MIN_RUNS, Importances, Param, clip_outliers, importances
from seamark.compare.importance.importance_report import trials_of
from seamark.compare.test_support import log_run, table_of

RNG = np.random.default_rng


def number(name: str, values: np.ndarray) -> Param:
    return Param(name, "number", np.asarray(values, dtype=float))


def text(name: str, indices: np.ndarray, labels: tuple[str, ...]) -> Param:
    return Param(name, "text", np.asarray(indices, dtype=float), labels)


def by_id(result: Importances) -> dict[str, float]:
    return {one.id: one.importance for one in result.importances}


def where(result: Importances) -> dict[str, str]:
    return {one.id: one.where for one in result.importances}


def sweep(runs: int = 500, seed: int = 0) -> tuple[list[Param], np.ndarray, dict[str, float]]:
    """A loss that is quadratic in log(lr), linear in dropout and depends on the optimizer; five params have no effect."""
    rng = RNG(seed)
    lr, dropout, optimizer = 10 ** rng.uniform(-5, -1, runs), rng.uniform(0, 0.5, runs), rng.integers(0, 3, runs)
    terms = {
        "lr": (np.log10(lr) + 3) ** 2,
        "dropout": 4 * dropout,
        "optimizer": np.array([0.0, 1.0, 0.3])[optimizer],
        "noise": 0.3 * rng.normal(size=runs),
    }
    loss = sum(terms.values())
    params = [number("lr", lr), number("dropout", dropout), text("optimizer", optimizer, ("adam", "sgd", "lion"))]
    params += [number(f"nothing{n}", rng.uniform(size=runs)) for n in range(5)]
    return params, loss, {name: float(term.var() / loss.var()) for name, term in terms.items()}


def test_importances_approximate_the_true_shares() -> None:
    params, loss, shares = sweep()
    result = importances(params, loss, goal="min")
    found = by_id(result)
    assert [one.id for one in result.importances[:3]] == ["lr", "dropout", "optimizer"]
    for name in ("lr", "dropout", "optimizer"):
        # Trees underestimate every effect a little.
        assert 0.6 * shares[name] < found[name] < 1.15 * shares[name], name
    assert max(found[f"nothing{n}"] for n in range(5)) < 0.01
    assert result.explained is not None and 0.75 < result.explained < 1 - 0.5 * shares["noise"]
    assert result.problem == ""


def test_where_names_the_range_of_the_best_values() -> None:
    params, loss, _ = sweep()
    low = where(importances(params, loss, goal="min"))
    assert (low["lr"], low["dropout"], low["optimizer"]) == ("mid", "low", "adam")
    assert where(importances(params, loss, goal="max"))["dropout"] == "high"
    assert [low[f"nothing{n}"] for n in range(5)] == [""] * 5


def test_importances_are_deterministic() -> None:
    params, loss, _ = sweep(runs=100)
    assert importances(params, loss, goal="min") == importances(params, loss, goal="min")


def test_params_that_matter_only_in_combination_are_found() -> None:
    rng = RNG(1)
    a, b, c = rng.integers(0, 2, (3, 400))
    result = by_id(
        importances([number("a", a), number("b", b), number("c", c)], (a ^ b) + 0.05 * rng.normal(size=400), goal="max")
    )
    assert result["a"] > 0.6 and result["b"] > 0.6 and result["c"] < 0.02


def test_the_presence_of_a_value_counts() -> None:
    rng = RNG(2)
    clip = rng.uniform(size=300)
    clip[rng.uniform(size=300) < 0.5] = np.nan
    loss = np.where(np.isnan(clip), 1.0, 0.0) + 0.1 * rng.normal(size=300)
    result = importances([number("clip", clip), number("other", rng.uniform(size=300))], loss, goal="min")
    assert by_id(result)["clip"] > 0.7 and by_id(result)["other"] < 0.02


def test_unique_names_have_no_importance() -> None:
    rng = RNG(3)
    x = rng.uniform(size=200)
    names = text("name", np.arange(200), tuple(f"run{n}" for n in range(200)))
    result = importances([names, number("x", x)], x + 0.1 * rng.normal(size=200), goal="min")
    assert by_id(result)["name"] == 0.0 and by_id(result)["x"] > 0.7


def test_many_categories_without_effect_rank_below_a_real_effect() -> None:
    rng = RNG(4)
    many, x = rng.integers(0, 40, 400), rng.uniform(size=400)
    result = by_id(
        importances(
            [text("many", many, tuple(map(str, range(40)))), number("x", x)], x + 0.3 * rng.normal(size=400), goal="min"
        )
    )
    assert result["x"] > 0.2 > 0.05 > result["many"]


def test_a_few_diverged_runs_do_not_dominate() -> None:
    params, loss, _ = sweep()
    loss[[3, 50, 400]] = 1e12
    assert clip_outliers(loss).max() < 100
    assert importances(params, loss, goal="min").importances[0].id == "lr"


def test_problems_explain_missing_importances() -> None:
    params, loss, _ = sweep(runs=MIN_RUNS)
    assert (
        f"{MIN_RUNS} are needed" in importances([p.take(np.arange(19)) for p in params], loss[:19], goal="min").problem
    )
    assert importances(params, loss, goal="min").importances
    assert "differs" in importances([number("x", np.ones(50))], RNG(0).normal(size=50), goal="min").problem
    assert "same" in importances([number("x", np.arange(50))], np.ones(50), goal="min").problem
    by_chance = importances([number("x", RNG(5).normal(size=200))], RNG(6).normal(size=200), goal="min")
    assert "chance" in by_chance.problem


def test_only_the_most_correlated_of_many_params_are_included() -> None:
    rng = RNG(7)
    x = rng.uniform(size=(60, MAX_PARAMS + 100))
    result = importances([number(f"x{n:03}", x[:, n]) for n in range(x.shape[1])], x[:, 150] * 5, goal="max")
    assert len(result.importances) == MAX_PARAMS and result.importances[0].id == "x150" and "of 200" in result.problem


def test_infinities_count_as_very_large_values() -> None:
    rng = RNG(8)
    x = rng.uniform(size=100)
    x[:10], x[10:20] = np.inf, -np.inf
    result = importances([number("x", x)], np.where(np.isinf(x), 1.0, 0.0) + 0.01 * rng.normal(size=100), goal="min")
    assert by_id(result)["x"] > 0.5


def test_an_effect_has_a_point_per_value_and_one_for_runs_without() -> None:
    y = np.array([1.0, 3.0, 10.0, 12.0, 5.0])
    few = effect_of(number("layers", np.array([2, 2, 4, 4, np.nan])), y)
    assert few.x == [2.0, 4.0, None] and few.mean == [2.0, 11.0, 5.0] and few.n == [2, 2, 1]
    assert few.low[0] is not None and few.low[0] < 2 and few.low[2] is None
    flags = effect_of(Param("amp", "bool", np.array([0.0, 1, 1, 1, 0]), ("false", "true")), y)
    assert flags.x == [False, True] and flags.type == "bool" and flags.n == [2, 3]
    names = effect_of(text("opt", np.array([0, 1, 1, 1, np.nan]), ("adam", "<b>")), y)
    assert names.x == ["adam", "<b>", None]


def test_many_values_are_grouped_into_ranges() -> None:
    rng = RNG(9)
    x = rng.uniform(size=4000)
    result = effect_of(number("x", x), x**2 + 0.1 * rng.normal(size=4000))
    assert len(result.x) == 8 and sum(result.n) == 4000 and max(result.n) - min(result.n) < 10
    for at, low, high in zip(result.x, result.low, result.high, strict=True):
        assert isinstance(at, float) and low is not None and high is not None
        assert low - 0.02 < at**2 < high + 0.02
    assert result.x == sorted(result.x, key=float)  # type: ignore[arg-type]


def test_rare_categories_share_a_point() -> None:
    indices = np.concatenate([np.arange(60), np.zeros(40)])
    result = effect_of(text("name", indices, tuple(f"n{n}" for n in range(60))), np.ones(100))
    assert len(result.x) == MAX_CATEGORIES and result.x[-1] == "41 others" and sum(result.n) == 100


def test_importance_report_of_logged_runs(tmp_path: Path) -> None:
    rng = RNG(10)
    for n in range(24):
        lr, optimizer = float(rng.uniform()), "adam" if n % 2 else "sgd"
        values = {"lr": lr, "opt": optimizer, "amp": n % 3 == 0, "const": 1.0, **({"clip": 0.5} if n % 4 else {})}
        log_run(tmp_path / f"run{n}", values, val__loss=[5.0, 3 * lr + 0.1 * (n % 2)])
    log_run(tmp_path / "astray", {"lr": 0.9}, val__loss=[float("nan")])
    with table_of(tmp_path) as table:
        trials = trials_of(table, table.select().rows, "metric:val/loss:last")
        result = trials.importance_report()
        only = trials_of(
            table, table.select().rows, "metric:val/loss:last", params=["param:opt"], goal="max"
        ).importance_report()
    assert trials.goal == "min" and result.n == 24 and result.needed == MIN_RUNS
    assert result.importances[0].id == "param:lr" and result.importances[0].where == "low"
    assert {one.id for one in result.importances} == {"param:lr", "param:opt", "param:amp", "param:clip"}
    assert result.effects[0].id == "param:lr"
    assert result.problem == "1 run with NaN or infinity left out"
    assert [effect.x for effect in only.effects] == [["adam", "sgd"]]


@pytest.mark.parametrize("runs", [0, 1, 5])
def test_few_runs_have_effects_but_no_importances(tmp_path: Path, runs: int) -> None:
    log_run(tmp_path / "other", {"lr": 7.0}, accuracy=[1.0])
    for n in range(runs):
        log_run(tmp_path / f"run{n}", {"lr": float(n)}, loss=[1.0 + n])
    log_run(tmp_path / "metricless", loss=[float("inf")])
    with table_of(tmp_path) as table:
        result = trials_of(table, table.select().rows, "metric:loss:last").importance_report()
    assert result.importances == [] and f"{runs} runs" in result.problem
    assert len(result.effects) == (1 if runs > 1 else 0)
