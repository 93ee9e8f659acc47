"""Chooses the objective of runs by the rules in docs/hparams.md: as the study or writer stated it, else by name.

If the choice is not certain, the result lists candidates for the user to choose from.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

import numpy as np
from numpy.typing import NDArray

from seamark.compare.columns.goals import goal_of_name, goal_word
from seamark.compare.columns.metric_names import interest, is_never_tuned_for, preference
from seamark.compare.objective.keras_tuner import tuned_metric
from seamark.compare.record.record import PlannedMetric, Record
from seamark.compare.run_table import RunTable
from seamark.format.run_record import Metric
from seamark.format.types import SYSTEM_PREFIX

MAX_CANDIDATES = 6
# A field in run.json of runs imported from another tracker.
IMPORTED = "imported_from"
MAX_RANKED = 200
# Lightning writes this value if no metric was given.
PLACEHOLDER, PLACEHOLDER_VALUE = "hp_metric", -1.0


@dataclass(frozen=True, slots=True)
class Candidate:
    """A column that the runs may have been tuned for. `goal` is "min", "max", or "" if unknown.

    `part` is the child run that measured it, such as Keras's "validation"; "" if unknown.
    """

    id: str
    goal: str
    part: str = ""


@dataclass(frozen=True, slots=True)
class ObjectiveChoice:
    """`objective` is None if it is not certain; `reason` explains why. `ranked` are tags, the likeliest first."""

    objective: Candidate | None
    candidates: tuple[Candidate, ...]
    reason: str
    ranked: tuple[str, ...] = ()


def choose_objective(table: RunTable, rows: NDArray[np.intp]) -> ObjectiveChoice:
    with table.hold():
        records = table.records
        runs = Runs(table, [records[row] for row in rows.tolist()], rows)
        rules = (stated_by_study, stated_by_keras_tuner, defined_by_writer, planned)
        found = next(filter(None, (rule(runs) for rule in rules)), None) or named(runs)
        # Runs of a sweep have the same tags, hundreds of them.
        # Every run has the machine's metrics, and nobody looks for them first.
        ranked = sorted(
            runs.counts,
            key=lambda tag: (tag.startswith(SYSTEM_PREFIX), -round(2 * runs.share(tag)), *interest(tag, table.goal)),
        )
    return replace(found, ranked=tuple(ranked[:MAX_RANKED]))


class Runs:
    """The selected rows, and how many of them have each metric."""

    def __init__(self, table: RunTable, records: Sequence[Record], rows: NDArray[np.intp]) -> None:
        self.table, self.records, self._rows = table, records, rows
        self.measured = sum(bool(record.tags or record.summary) for record in records)
        self.counts: Counter[str] = Counter()
        shared = {id(record.tags): record.tags for record in records}
        for key, runs in Counter(id(record.tags) for record in records).items():
            self.counts.update(dict.fromkeys(shared[key], runs))

    def share(self, tag: str) -> float:
        return self.counts[tag] / max(self.measured, 1)

    def covers_half(self, tag: str, also: int = 0) -> bool:
        return max(self.counts[tag], also) * 2 >= self.measured

    def column_of(self, metric: str, goal: str) -> str | None:
        """The column with the statistic that define_metric's `summary` asks for; None if no run has the metric."""
        if metric in self.counts:
            return f"metric:{metric}:{stat_of(self._definition(metric), goal)}"
        return f"summary:{metric}" if any(metric in record.summary for record in self.records) else None

    def candidate(self, metric: str, goal: str | None = None) -> Candidate:
        goal = self.table.goal(metric) or "" if goal is None else goal
        return Candidate(self.column_of(metric, goal) or f"metric:{metric}:last", goal)

    def planned_candidate(self, metric: PlannedMetric) -> Candidate:
        goal = self.table.goal(metric.tag) or goal_of_name(metric.display_name) or ""
        return replace(self.candidate(metric.tag, goal), part=metric.group)

    def is_placeholder(self, tag: str) -> bool:
        if tag != PLACEHOLDER:
            return False
        column = self.table.column(f"metric:{tag}:last")
        values = column.values[self._rows][column.present[self._rows]]
        return bool((values == PLACEHOLDER_VALUE).all())

    def _definition(self, metric: str) -> Metric | None:
        for record in self.records:
            for one in record.record.metrics if record.record is not None else ():
                if fits(metric, one.name):
                    return one
        return None


def stated_by_study(runs: Runs) -> ObjectiveChoice | None:
    """From `objectives` in run.json, which the integrations of tuners write."""
    counts: Counter[tuple[str, str]] = Counter()
    sets: set[tuple[tuple[str, str], ...]] = set()
    for record in runs.records:
        objectives = record.record.objectives if record.record is not None else ()
        stated = tuple((one.metric, goal_word(one.goal)) for one in objectives if one.metric and one.goal)
        if stated:
            counts.update(stated)
            sets.add(stated)
    if not counts:
        return None
    if len(counts) > 1:
        several = "The study has several objectives" if len(sets) == 1 else "The runs state different objectives"
        return uncertain((runs.candidate(metric, goal) for metric, goal in counts), several)
    (metric, goal), count = next(iter(counts.items()))
    if runs.column_of(metric, goal) is None:
        return ObjectiveChoice(None, (), f"No run has logged {metric} yet, which the study {goal_verb(goal)}s")
    if not runs.covers_half(metric, also=count):
        return uncertain([runs.candidate(metric, goal)], f"Only {count} of the runs state an objective")
    return certain(runs.candidate(metric, goal), f"The study {goal_verb(goal)}s it")


def stated_by_keras_tuner(runs: Runs) -> ObjectiveChoice | None:
    """From Keras Tuner's score, which is the best value of a metric over the epochs."""
    tuned = tuned_metric(runs.records, runs.table.store.roots)
    if tuned is None or not runs.covers_half(tuned.tag):
        return None
    objective = Candidate(f"metric:{tuned.tag}:{tuned.goal}", tuned.goal, tuned.part)
    return certain(objective, f"Keras Tuner {goal_verb(tuned.goal)}s {tuned.name}")


def defined_by_writer(runs: Runs) -> ObjectiveChoice | None:
    """From the metrics whose goal define_metric states."""
    defined = {(one.name, goal_word(one.goal)): None for one in definitions(runs) if one.goal and not one.hidden}
    goals = {tag: goal for name, goal in reversed(defined) for tag in runs.counts if fits(tag, name)}
    tags = [tag for tag in runs.counts if tag in goals and runs.covers_half(tag)]
    found = preferred(tags)
    if not found:
        return None
    if len(found) > 1:
        several = "define_metric states the goal of several metrics"
        return uncertain((runs.candidate(tag, goals[tag]) for tag in found), several)
    return certain(runs.candidate(found[0], goals[found[0]]), "define_metric states its goal")


def planned(runs: Runs) -> ObjectiveChoice | None:
    """From the first metric that hparams_config or add_hparams names."""
    firsts: Counter[str] = Counter()
    metrics: dict[str, PlannedMetric] = {}
    for record in runs.records:
        if record.record is not None and IMPORTED in record.record.unknown:
            continue  # imports list every metric there, for TensorBoard's page
        for metric in runs.table.plan_of(record):
            is_out = is_never_tuned_for(metric.tag) or runs.is_placeholder(metric.tag)
            if metric.tag in runs.counts and not is_out:
                firsts[metric.tag] += 1
                metrics.setdefault(metric.tag, metric)
                break
    if not firsts or not any(runs.covers_half(tag, also=count) for tag, count in firsts.items()):
        return None
    found = [runs.planned_candidate(metrics[tag]) for tag, _ in firsts.most_common()]
    if len(found) > 1:
        return uncertain(found, "hparams_config or add_hparams names different metrics first")
    if not found[0].goal:
        return uncertain(found, "The metric's name does not say whether lower or higher is better")
    return certain(found[0], "It is the first metric that hparams_config or add_hparams names")


def named(runs: Runs) -> ObjectiveChoice:
    hidden = [one.name for one in definitions(runs) if one.hidden]
    known = [
        tag
        for tag in runs.counts
        if runs.covers_half(tag)
        and not is_never_tuned_for(tag)
        and not runs.is_placeholder(tag)
        and not any(fits(tag, name) for name in hidden)
    ]
    found = preferred(tag for tag in known if runs.table.goal(tag))
    if len(found) == 1:
        return certain(runs.candidate(found[0]), "Chosen by its name")
    if found:
        return uncertain(map(runs.candidate, found), "Several metrics are possible")
    if known:
        return uncertain(
            map(runs.candidate, sorted(known, key=interest)), "No metric's name says whether lower or higher is better"
        )
    return ObjectiveChoice(None, (), "No run has logged a metric to compare runs by")


def preferred(tags: Iterable[str]) -> list[str]:
    """The tags with the best preference; several if their names do not decide."""
    found = sorted(tags, key=lambda tag: (preference(tag), tag))
    return [tag for tag in found if preference(tag) == preference(found[0])]


def definitions(runs: Runs) -> Iterable[Metric]:
    return (one for record in runs.records if record.record is not None for one in record.record.metrics)


def fits(tag: str, name: str) -> bool:
    return tag == name or fnmatchcase(tag, name.replace("[", "[[]"))


def stat_of(definition: Metric | None, goal: str) -> str:
    """The statistic that define_metric's `summary` asks for."""
    words = definition.summary.split(",") if definition is not None else []
    if goal and ("best" in words or goal in words):
        return goal
    return next((word for word in words if word in ("first", "min", "max", "mean")), "last")


def certain(objective: Candidate, reason: str) -> ObjectiveChoice:
    return ObjectiveChoice(objective, (), reason)


def uncertain(candidates: Iterable[Candidate], reason: str) -> ObjectiveChoice:
    return ObjectiveChoice(None, tuple(candidates)[:MAX_CANDIDATES], reason)


def goal_verb(goal: str) -> str:
    return f"{goal}imize"
