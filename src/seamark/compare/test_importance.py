"""Sweeps of which we know what mattered: the variance of each term over the variance of the sum."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from seamark.compare.effects import MAX_CATEGORIES, effect_of
from seamark.compare.importance import MAX_PARAMS, NEEDED, Importances, Param, fenced, importances
from seamark.compare.test_support import log_run, table_of
from seamark.compare.what_mattered import trials_of

RNG = np.random.default_rng


def number(name: str, values: np.ndarray) -> Param:
    return Param(name, "number", np.asarray(values, dtype=float))


def text(name: str, places: np.ndarray, labels: tuple[str, ...]) -> Param:
    return Param(name, "text", np.asarray(places, dtype=float), labels)


def by_id(told: Importances) -> dict[str, float]:
    return {one.id: one.importance for one in told.importances}


def where(told: Importances) -> dict[str, str]:
    return {one.id: one.where for one in told.importances}


def sweep(runs: int = 500, seed: int = 0) -> tuple[list[Param], np.ndarray, dict[str, float]]:
    """The loss of a curved lr, a straight dropout and a choice of optimizer, and five that do nothing."""
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


def test_every_share_of_the_variance_is_found() -> None:
    params, loss, shares = sweep()
    told = importances(params, loss, goal="min")
    found = by_id(told)
    assert [one.id for one in told.importances[:3]] == ["lr", "dropout", "optimizer"]
    for name in ("lr", "dropout", "optimizer"):
        # Trees blunt every effect a little, so that less is found than there is.
        assert 0.6 * shares[name] < found[name] < 1.15 * shares[name], name
    assert max(found[f"nothing{n}"] for n in range(5)) < 0.01
    assert told.explained is not None and 0.75 < told.explained < 1 - 0.5 * shares["noise"]
    assert told.problem == ""


def test_it_says_where_the_best_values_lie() -> None:
    params, loss, _ = sweep()
    low = where(importances(params, loss, goal="min"))
    assert (low["lr"], low["dropout"], low["optimizer"]) == ("mid", "low", "adam")
    assert where(importances(params, loss, goal="max"))["dropout"] == "high"
    assert [low[f"nothing{n}"] for n in range(5)] == [""] * 5


def test_the_answer_is_the_same_every_time() -> None:
    params, loss, _ = sweep(runs=100)
    assert importances(params, loss, goal="min") == importances(params, loss, goal="min")


def test_parameters_that_matter_only_together_are_found() -> None:
    rng = RNG(1)
    a, b, c = rng.integers(0, 2, (3, 400))
    told = by_id(
        importances([number("a", a), number("b", b), number("c", c)], (a ^ b) + 0.05 * rng.normal(size=400), goal="max")
    )
    assert told["a"] > 0.6 and told["b"] > 0.6 and told["c"] < 0.02


def test_a_value_that_only_some_runs_have_counts_by_its_being_there() -> None:
    rng = RNG(2)
    clip = rng.uniform(size=300)
    clip[rng.uniform(size=300) < 0.5] = np.nan
    loss = np.where(np.isnan(clip), 1.0, 0.0) + 0.1 * rng.normal(size=300)
    told = importances([number("clip", clip), number("other", rng.uniform(size=300))], loss, goal="min")
    assert by_id(told)["clip"] > 0.7 and by_id(told)["other"] < 0.02


def test_names_of_runs_explain_nothing_however_many_there_are() -> None:
    rng = RNG(3)
    x = rng.uniform(size=200)
    names = text("name", np.arange(200), tuple(f"run{n}" for n in range(200)))
    told = importances([names, number("x", x)], x + 0.1 * rng.normal(size=200), goal="min")
    assert by_id(told)["name"] == 0.0 and by_id(told)["x"] > 0.7


def test_a_parameter_of_many_categories_that_does_nothing_stays_below_one_that_does() -> None:
    rng = RNG(4)
    many, x = rng.integers(0, 40, 400), rng.uniform(size=400)
    told = by_id(
        importances(
            [text("many", many, tuple(map(str, range(40)))), number("x", x)], x + 0.3 * rng.normal(size=400), goal="min"
        )
    )
    assert told["x"] > 0.2 > 0.05 > told["many"]


def test_a_few_runs_that_went_astray_are_not_all_there_is_to_explain() -> None:
    params, loss, _ = sweep()
    loss[[3, 50, 400]] = 1e12
    assert fenced(loss).max() < 100
    assert importances(params, loss, goal="min").importances[0].id == "lr"


def test_what_cannot_be_told_is_said() -> None:
    params, loss, _ = sweep(runs=NEEDED)
    assert f"{NEEDED} are needed" in importances([p.take(np.arange(19)) for p in params], loss[:19], goal="min").problem
    assert importances(params, loss, goal="min").importances
    assert "differs" in importances([number("x", np.ones(50))], RNG(0).normal(size=50), goal="min").problem
    assert "same" in importances([number("x", np.arange(50))], np.ones(50), goal="min").problem
    by_chance = importances([number("x", RNG(5).normal(size=200))], RNG(6).normal(size=200), goal="min")
    assert "chance" in by_chance.problem


def test_of_very_many_parameters_those_that_go_along_with_the_target_are_looked_at() -> None:
    rng = RNG(7)
    x = rng.uniform(size=(60, MAX_PARAMS + 100))
    told = importances([number(f"x{n:03}", x[:, n]) for n in range(x.shape[1])], x[:, 150] * 5, goal="max")
    assert len(told.importances) == MAX_PARAMS and told.importances[0].id == "x150" and "of 200" in told.problem


def test_infinities_are_very_large_values_and_no_trouble() -> None:
    rng = RNG(8)
    x = rng.uniform(size=100)
    x[:10], x[10:20] = np.inf, -np.inf
    told = importances([number("x", x)], np.where(np.isinf(x), 1.0, 0.0) + 0.01 * rng.normal(size=100), goal="min")
    assert by_id(told)["x"] > 0.5


def test_an_effect_has_a_point_for_each_value_and_one_for_the_runs_without() -> None:
    y = np.array([1.0, 3.0, 10.0, 12.0, 5.0])
    few = effect_of(number("layers", np.array([2, 2, 4, 4, np.nan])), y)
    assert few.x == [2.0, 4.0, None] and few.mean == [2.0, 11.0, 5.0] and few.n == [2, 2, 1]
    assert few.low[0] is not None and few.low[0] < 2 and few.low[2] is None
    flags = effect_of(Param("amp", "bool", np.array([0.0, 1, 1, 1, 0]), ("false", "true")), y)
    assert flags.x == [False, True] and flags.type == "bool" and flags.n == [2, 3]
    names = effect_of(text("opt", np.array([0, 1, 1, 1, np.nan]), ("adam", "<b>")), y)
    assert names.x == ["adam", "<b>", None]


def test_an_effect_of_many_values_is_that_of_ranges_and_follows_the_truth() -> None:
    rng = RNG(9)
    x = rng.uniform(size=4000)
    told = effect_of(number("x", x), x**2 + 0.1 * rng.normal(size=4000))
    assert len(told.x) == 8 and sum(told.n) == 4000 and max(told.n) - min(told.n) < 10
    for at, low, high in zip(told.x, told.low, told.high, strict=True):
        assert isinstance(at, float) and low is not None and high is not None
        assert low - 0.02 < at**2 < high + 0.02
    assert told.x == sorted(told.x, key=float)  # type: ignore[arg-type]


def test_an_effect_of_very_many_categories_puts_the_rare_ones_together() -> None:
    places = np.concatenate([np.arange(60), np.zeros(40)])
    told = effect_of(text("name", places, tuple(f"n{n}" for n in range(60))), np.ones(100))
    assert len(told.x) == MAX_CATEGORIES and told.x[-1] == "41 others" and sum(told.n) == 100


def test_importances_of_a_table_of_real_logs(tmp_path: Path) -> None:
    rng = RNG(10)
    for n in range(24):
        lr, optimizer = float(rng.uniform()), "adam" if n % 2 else "sgd"
        values = {"lr": lr, "opt": optimizer, "amp": n % 3 == 0, "const": 1.0, **({"clip": 0.5} if n % 4 else {})}
        log_run(tmp_path / f"run{n}", values, val__loss=[5.0, 3 * lr + 0.1 * (n % 2)])
    log_run(tmp_path / "astray", {"lr": 0.9}, val__loss=[float("nan")])
    with table_of(tmp_path) as table:
        trials = trials_of(table, table.select(), "metric:val/loss:last")
        told = trials.what_mattered()
        only = trials_of(
            table, table.select(), "metric:val/loss:last", params=["param:opt"], goal="max"
        ).what_mattered()
    assert trials.goal == "min" and told.n == 24 and told.needed == NEEDED
    assert told.importances[0].id == "param:lr" and told.importances[0].where == "low"
    assert {one.id for one in told.importances} == {"param:lr", "param:opt", "param:amp", "param:clip"}
    assert told.effects[0].id == "param:lr"
    assert told.problem == "1 run with NaN or infinity left out"
    assert [effect.x for effect in only.effects] == [["adam", "sgd"]]


@pytest.mark.parametrize("runs", [0, 1, 5])
def test_few_runs_have_effects_and_no_importances(tmp_path: Path, runs: int) -> None:
    log_run(tmp_path / "other", {"lr": 7.0}, accuracy=[1.0])
    for n in range(runs):
        log_run(tmp_path / f"run{n}", {"lr": float(n)}, loss=[1.0 + n])
    log_run(tmp_path / "metricless", loss=[float("inf")])
    with table_of(tmp_path) as table:
        told = trials_of(table, table.select(), "metric:loss:last").what_mattered()
    assert told.importances == [] and f"{runs} runs" in told.problem
    assert len(told.effects) == (1 if runs > 1 else 0)
