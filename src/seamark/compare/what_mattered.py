"""Importances and effects of a table's hyperparameters on one of its columns."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seamark.compare.columns import Column
from seamark.compare.effects import Effect, effect_of
from seamark.compare.groups import goal_of_column, numbers_of
from seamark.compare.importance import METHOD, NEEDED, SEED, Importance, Param, fenced, importances, param_of
from seamark.compare.settings import DEFAULT_TAIL
from seamark.compare.table import RunTable
from seamark.format.run_record import WITHOUT_RESULT

MAX_EFFECTS = 50


@dataclass(frozen=True, slots=True)
class WhatMattered:
    method: str
    n: int
    needed: int
    explained: float | None
    importances: list[Importance]
    effects: list[Effect]
    problem: str


@dataclass(frozen=True, slots=True)
class Trials:
    """Runs with a target and hyperparameters, taken out of a table."""

    target: NDArray[np.float64]
    params: list[Param]
    goal: str
    left_out: str

    @property
    def mark(self) -> bytes:
        """The same for the same runs with the same values: what was worked out for them still holds."""
        told = hashlib.blake2b(self.target.tobytes(), digest_size=16)
        for param in self.params:
            told.update(repr((param.id, param.kind, param.labels)).encode(errors="surrogatepass"))
            told.update(param.values.tobytes())
        told.update(f"{self.goal} {self.left_out}".encode())
        return told.digest()

    def what_mattered(self, *, seed: int = SEED) -> WhatMattered:
        varying = [param for param in self.params if param.varies]
        told = importances(varying, self.target, goal=self.goal, seed=seed)
        order = {one.id: at for at, one in enumerate(told.importances)}
        shown = sorted(varying, key=lambda param: order.get(param.id, len(order)))[:MAX_EFFECTS]
        effects = [effect_of(param, fenced(self.target)) for param in shown] if len(self.target) else []
        problem = "; ".join(part for part in (self.left_out, told.problem) if part)
        return WhatMattered(METHOD, len(self.target), NEEDED, told.explained, told.importances, effects, problem)


def trials_of(
    table: RunTable,
    rows: NDArray[np.intp],
    target: str,
    *,
    goal: str = "",
    params: Sequence[str] | None = None,
    tail: int = DEFAULT_TAIL,
) -> Trials:
    """Without `params`: every hyperparameter. Runs without a result, or without a finite target, are left out."""
    with table.hold():
        goal = goal or goal_of_column(table, target)
        measured = numbers_of(table.column(target, tail=tail))
        ended, given_up = without_result(table, rows, measured)
        usable = ended[measured.present[ended] & np.isfinite(measured.values[ended].astype(np.float64))]
        ids = param_ids(table) if params is None else params
        asked = [table.column(column_id, tail=tail) for column_id in ids if column_id != target]
    values = measured.values[usable].astype(np.float64)
    problems = [left_out(measured, ended, usable), given_up]
    return Trials(values, [param_of(column, usable) for column in asked], goal, "; ".join(filter(None, problems)))


def param_ids(table: RunTable) -> list[str]:
    return [f"param:{name}" for name in sorted(table.known_names().params)]


def without_result(table: RunTable, rows: NDArray[np.intp], measured: Column) -> tuple[NDArray[np.intp], str]:
    """The rows without those that were pruned, failed or crashed, and a sentence about these."""
    is_out = np.isin(table.column("run:status").values[rows].astype(str), list(WITHOUT_RESULT))
    count = int((is_out & measured.present[rows]).sum())
    words = f"{count} pruned, failed or crashed run{'' if count == 1 else 's'} left out" if count else ""
    return rows[~is_out], words


def left_out(measured: Column, rows: NDArray[np.intp], usable: NDArray[np.intp]) -> str:
    """Runs that have the target, as NaN or infinity: they may be the ones that mattered most."""
    count = int(measured.present[rows].sum()) - len(usable)
    return f"{count} run{'' if count == 1 else 's'} with NaN or infinity left out" if count else ""
