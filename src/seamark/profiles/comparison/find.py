"""Compares two profiles: parts of the step, operators and kernels, for each step."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeVar

from seamark.profiles.analyses.kernels import find_kernels
from seamark.profiles.analyses.operators import find_operators
from seamark.profiles.analyses.overview import find_overview
from seamark.profiles.analyses.steps import complete_steps, find_steps
from seamark.profiles.comparison.sentences import explain
from seamark.profiles.findings.rules import findings_of_ranks
from seamark.profiles.profile import Profile
from seamark.profiles.results import (
    BREAKDOWN_PARTS,
    ComparedRow,
    ComparedStep,
    Comparison,
    Finding,
    KernelRow,
    OperatorRow,
    Overview,
)

Row = TypeVar("Row", OperatorRow, KernelRow)
MAX_ROWS = 2000


class Sums(NamedTuple):
    """Of all rows with one name, for each step."""

    calls: float
    ns: float


def compare_profiles(a: Profile, b: Profile) -> Comparison:
    """Times of rows and parts are means over the steps; of the whole traces if one of them has no steps."""
    a_view, b_view = a.get(find_overview), b.get(find_overview)
    has_steps = bool(a_view.steps and b_view.steps)
    breakdown = compared_parts(a_view, b_view) if has_steps else []
    difference = breakdown[0].b_ns - breakdown[0].a_ns if has_steps else 0
    a_count, b_count = (len(complete_steps(each.get(find_steps).steps)) if has_steps else 1 for each in (a, b))
    has_device = all(profile.get(find_operators).total_device_ns is not None for profile in (a, b))
    operators = join(
        sums_by_name(a.get(find_operators).rows, a_count, operator_time(has_device)),
        sums_by_name(b.get(find_operators).rows, b_count, operator_time(has_device)),
        difference,
    )
    kernels = join(
        sums_by_name(a.get(find_kernels).rows, a_count, lambda row: row.total_ns),
        sums_by_name(b.get(find_kernels).rows, b_count, lambda row: row.total_ns),
        difference,
    )
    names, a_steps, b_steps = aligned_steps(a_view, b_view)
    return Comparison(
        a_steps=len(a_view.steps),
        b_steps=len(b_view.steps),
        breakdown=breakdown,
        operators=operators,
        kernels=kernels,
        explanation=explain(breakdown, findings_of(a), findings_of(b), operators),
        a_step_ns=a_steps,
        b_step_ns=b_steps,
        step_names=names,
    )


def findings_of(profile: Profile) -> list[Finding]:
    return findings_of_ranks([("", profile)], 0).findings


def compared_parts(a: Overview, b: Overview) -> list[ComparedStep]:
    """The mean step first, then its parts."""
    parts = [ComparedStep(part=part, a_ns=a.mean.get(part, 0), b_ns=b.mean.get(part, 0)) for part in BREAKDOWN_PARTS]
    return [ComparedStep(part="step", a_ns=mean_step(a), b_ns=mean_step(b)), *parts]


def mean_step(view: Overview) -> int:
    """Of the complete steps, as the parts are."""
    return sum(view.mean.values())


def operator_time(has_device: bool) -> Callable[[OperatorRow], int]:
    return (lambda row: row.device_self_ns or 0) if has_device else (lambda row: row.self_ns)


def sums_by_name(rows: Iterable[Row], steps: int, time_of: Callable[[Row], int]) -> dict[str, Sums]:
    sums: dict[str, Sums] = {}
    for row in rows:
        before = sums.get(row.name, Sums(0, 0))
        sums[row.name] = Sums(before.calls + row.calls / steps, before.ns + time_of(row) / steps)
    return sums


def join(a: dict[str, Sums], b: dict[str, Sums], difference: int) -> list[ComparedRow]:
    """The rows of both, those that changed most first."""
    none = Sums(0, 0)
    rows = []
    for name in {**a, **b}:
        before, after = a.get(name, none), b.get(name, none)
        rows.append(
            ComparedRow(
                name=name,
                a_calls=round(before.calls),
                b_calls=round(after.calls),
                a_ns=round(before.ns),
                b_ns=round(after.ns),
                explains=(after.ns - before.ns) / difference if difference else None,
            )
        )
    rows.sort(key=lambda row: (-abs(row.b_ns - row.a_ns), row.name))
    return rows[:MAX_ROWS]


def aligned_steps(a: Overview, b: Overview) -> tuple[list[str], list[int], list[int]]:
    """Steps with the same number where the profiles share some; else the first with the first, and so on."""
    a_by_number = {step.number: step for step in a.steps if step.number is not None}
    b_by_number = {step.number: step for step in b.steps if step.number is not None}
    shared = sorted(a_by_number.keys() & b_by_number.keys())
    if len(shared) * 2 >= min(len(a.steps), len(b.steps)) > 0:
        pairs = [(f"step {number}", a_by_number[number], b_by_number[number]) for number in shared]
    else:
        pairs = [(f"{i + 1}", *pair) for i, pair in enumerate(zip(a.steps, b.steps, strict=False))]
    return [name for name, _, _ in pairs], [s.duration_ns for _, s, _ in pairs], [s.duration_ns for _, _, s in pairs]
