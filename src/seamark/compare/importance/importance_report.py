"""The importance report: importances and effects of hyperparameters on a column of the table."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seamark.compare.columns.column import Column
from seamark.compare.groups.groups import goal_of_column, numbers_of
from seamark.compare.importance.effects import Effect, effect_of
from seamark.compare.importance.importance import (
    METHOD,
    MIN_RUNS,
    SEED,
    Importance,
    Param,
    clip_outliers,
    importances,
    param_of,
)
from seamark.compare.run_table import RunTable
from seamark.compare.settings import DEFAULT_TAIL
from seamark.format.run_record import WITHOUT_RESULT

MAX_EFFECTS = 50


@dataclass(frozen=True, slots=True)
class ImportanceReport:
    method: str
    n: int
    needed: int
    explained: float | None
    importances: list[Importance]
    effects: list[Effect]
    problem: str


@dataclass(frozen=True, slots=True)
class ImportanceData:
    """The target and hyperparameters of runs, copied from a table."""

    target: NDArray[np.float64]
    params: list[Param]
    goal: str
    left_out: str

    @property
    def mark(self) -> bytes:
        """A fingerprint of the values: a cached report with the same mark is still valid."""
        digest = hashlib.blake2b(self.target.tobytes(), digest_size=16)
        for param in self.params:
            digest.update(repr((param.id, param.type, param.labels)).encode(errors="surrogatepass"))
            digest.update(param.values.tobytes())
        digest.update(f"{self.goal} {self.left_out}".encode())
        return digest.digest()

    def importance_report(self, *, seed: int = SEED) -> ImportanceReport:
        varying = [param for param in self.params if param.varies]
        result = importances(varying, self.target, goal=self.goal, seed=seed)
        order = {one.id: at for at, one in enumerate(result.importances)}
        shown = sorted(varying, key=lambda param: order.get(param.id, len(order)))[:MAX_EFFECTS]
        effects = [effect_of(param, clip_outliers(self.target)) for param in shown] if len(self.target) else []
        problem = "; ".join(part for part in (self.left_out, result.problem) if part)
        return ImportanceReport(
            METHOD, len(self.target), MIN_RUNS, result.explained, result.importances, effects, problem
        )


def trials_of(
    table: RunTable,
    rows: NDArray[np.intp],
    target: str,
    *,
    goal: str = "",
    params: Sequence[str] | None = None,
    tail: int = DEFAULT_TAIL,
) -> ImportanceData:
    """`params` defaults to all hyperparameters. Runs without a result or a finite target are left out."""
    with table.hold():
        goal = goal or goal_of_column(table, target)
        measured = numbers_of(table.column(target, tail=tail))
        ended, without_result_note = without_result(table, rows, measured)
        usable = ended[measured.present[ended] & np.isfinite(measured.values[ended].astype(np.float64))]
        ids = param_ids(table) if params is None else params
        columns = [table.column(column_id, tail=tail) for column_id in ids if column_id != target]
    values = measured.values[usable].astype(np.float64)
    problem = "; ".join(filter(None, [left_out(measured, ended, usable), without_result_note]))
    return ImportanceData(values, [param_of(column, usable) for column in columns], goal, problem)


def param_ids(table: RunTable) -> list[str]:
    return [f"param:{name}" for name in sorted(table.known_names().params)]


def without_result(table: RunTable, rows: NDArray[np.intp], measured: Column) -> tuple[NDArray[np.intp], str]:
    """The rows except pruned, failed and crashed runs, and a sentence with their number."""
    is_out = np.isin(table.column("run:status").values[rows].astype(str), list(WITHOUT_RESULT))
    count = int((is_out & measured.present[rows]).sum())
    words = f"{count} pruned, failed or crashed run{'' if count == 1 else 's'} left out" if count else ""
    return rows[~is_out], words


def left_out(measured: Column, rows: NDArray[np.intp], usable: NDArray[np.intp]) -> str:
    """A sentence with the number of runs whose target is NaN or infinite."""
    count = int(measured.present[rows].sum()) - len(usable)
    return f"{count} run{'' if count == 1 else 's'} with NaN or infinity left out" if count else ""
