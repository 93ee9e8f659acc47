"""define_metric and run.summary: the x-axis of a metric, and the value of it that the run's summary shows."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, MutableMapping
from fnmatch import fnmatchcase
from typing import Any

from seamark.format.run_record import Metric

SUMMARIES = ("last", "first", "min", "max", "mean", "best", "copy", "none")
GOALS = ("minimize", "maximize")


class Metrics:
    """The definitions of metrics. The last one that matches a tag applies; an exact name wins over a pattern."""

    def __init__(self, defined: tuple[Metric, ...] = ()) -> None:
        self.defined = defined
        self._of_tag: dict[str, Metric] = {}
        self.step_metrics = frozenset(metric.step_metric for metric in defined if metric.step_metric)

    def define(self, name: str, *, step_metric: str, summary: str, goal: str, hidden: bool) -> Metric:
        words = [word.strip() for word in (summary or "last").split(",")]
        wrong = [word for word in words if word not in SUMMARIES]
        if wrong:
            raise ValueError(f"unknown summary of '{name}': got {wrong[0]!r}, want {', '.join(SUMMARIES)}")
        if goal and goal not in GOALS:
            raise ValueError(f"unknown goal of '{name}': got {goal!r}, want {' or '.join(GOALS)}")
        metric = Metric(name, step_metric, ",".join(words), goal, hidden)
        others = tuple(other for other in self.defined if other.name != name)
        self.defined = (*others, metric)
        self._of_tag.clear()
        self.step_metrics = frozenset(each.step_metric for each in self.defined if each.step_metric)
        return metric

    def definition_of(self, tag: str) -> Metric:
        found = self._of_tag.get(tag)
        if found is None:
            fitting = [metric for metric in self.defined if fnmatchcase(tag, metric.name)]
            exact = [metric for metric in fitting if metric.name == tag]
            found = self._of_tag[tag] = (exact or fitting or [Metric(tag)])[-1]
        return found


class Summary(MutableMapping[str, Any]):
    """One value per metric: updated by logging, and writable by the program."""

    def __init__(self, metrics: Metrics, changed: Callable[[], None], values: dict[str, Any], counts: dict[str, int]):
        self._metrics, self._changed = metrics, changed
        self._values, self.counts = dict(values), dict(counts)

    def update_from_log(self, tag: str, value: float | str) -> None:
        """Takes one logged value into account."""
        if not self._metrics.defined:
            self._values[tag] = value
            return
        metric = self._metrics.definition_of(tag)
        words = metric.summary.split(",")
        if words == ["none"]:
            return
        if len(words) == 1:
            self._values[tag] = self._reduce(tag, words[0], metric.goal, self._values.get(tag), value)
            return
        before = self._values.get(tag)
        kept = dict(before) if isinstance(before, dict) else {}
        for word in words:
            kept[word] = self._reduce(f"{tag}:{word}", word, metric.goal, kept.get(word), value)
        self._values[tag] = kept

    def _reduce(self, counted_as: str, how: str, goal: str, before: Any, value: float | str) -> float | str:
        if how in ("last", "copy") or isinstance(value, str):
            return value
        if not isinstance(before, int | float) or math.isnan(before):
            self.counts[counted_as] = 1
            return value
        if math.isnan(value) or how == "first":
            return before
        if how == "mean":
            count = self.counts[counted_as] = self.counts.get(counted_as, 1) + 1
            return before + (value - before) / count
        wants_most = how == "max" or (how == "best" and goal == "maximize")
        return max(before, value) if wants_most else min(before, value)

    def as_dict(self) -> dict[str, Any]:
        return dict(self._values)

    def __getitem__(self, key: str) -> Any:
        return self._values[key]

    def __setitem__(self, key: str, value: Any) -> None:
        self._values[str(key)] = value
        self._changed()

    def __delitem__(self, key: str) -> None:
        del self._values[key]
        self._changed()

    def __iter__(self) -> Iterator[str]:
        return iter(list(self._values))

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return repr(self._values)
