"""run.log: numbers take the fast path, everything else is dispatched by its type."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from seamark.write.run.config.metrics import Metrics, Summary
from seamark.write.run.run_base import RunBase
from seamark.write.run.values import dispatch

if TYPE_CHECKING:
    from seamark.write.writer.summary_writer import SummaryWriter

MAX_SUMMARY_CHARACTERS = 1000


class RunLog(RunBase):
    summary: Summary
    _metrics: Metrics
    _step: int
    _latest: dict[str, float]  # the last value of each step metric

    @property
    def step(self) -> int:
        """The step that the next log() without a step uses."""
        return self._step

    def log(self, data: Mapping[str, Any], step: int | None = None, commit: bool | None = None) -> None:
        """Logs values by name. Without a step each call is one step; `commit=False` stays on it for the next call."""
        if self._recorder is None or not self._can_log():
            return
        try:
            with self._lock:
                at = self._step if step is None else int(step)
                self._log(self._recorder.writer, data, at)
                if step is not None:
                    # Logging to an earlier step does not move the counter back.
                    self._step = max(self._step, at)
                if commit or (commit is None and step is None):
                    self._step = max(self._step, at + 1)
                self._record.last_step = at if self._record.last_step is None else max(self._record.last_step, at)
                if self._mirror is not None:
                    self._mirror.log(dict(dispatch.flatten(dict(data))), at)
        except Exception as error:
            self._warn_once.warn_of(error, "log", "run.log failed")
        self._recorder.first_log()

    def define_metric(
        self,
        name: str,
        step_metric: str | None = None,
        summary: str | None = None,
        goal: str | None = None,
        hidden: bool = False,
    ) -> None:
        """Sets the metric on the x-axis of this one, and which of its values the run's summary shows."""
        with self._lock:
            self._metrics.define(
                name, step_metric=step_metric or "", summary=summary or "last", goal=goal or "", hidden=hidden
            )
            self._record.metrics = self._metrics.defined
        self._touch()

    def _log(self, writer: SummaryWriter, data: Mapping[str, Any], step: int) -> None:
        if not isinstance(data, Mapping):
            raise TypeError(f"want values by name like {{'loss': 0.5}}, got {type(data).__name__}")
        add_scalar, summary = writer.add_scalar, self.summary
        rest: list[tuple[str, Any]] = []
        for key, value in data.items():
            # The fast path: nearly all logged values are numbers at the step of the call.
            if (type(value) is float or type(value) is int) and not self._metrics.step_metrics:
                tag = str(key)
                try:
                    add_scalar(tag, value, step)
                except Exception:  # the number or the name is too odd: reported there, with the other values kept
                    rest.append((tag, value))
                else:
                    summary.update_from_log(tag, value)
            elif value is not None:
                rest.append((str(key), value))
        if rest:
            self._log_rest(writer, list(dispatch.flatten(dict(rest))), step)

    def _log_rest(self, writer: SummaryWriter, items: list[tuple[str, Any]], step: int) -> None:
        numbers: dict[str, float] = {}
        for tag, value in items:
            with self._warn_once.guard(f"value {tag}", f"'{tag}' cannot be logged"):
                number = dispatch.number_of(value)
                if number is not None:
                    numbers[tag] = number
        # Step metrics come first, so that their position within the call does not matter.
        for tag in self._metrics.step_metrics & numbers.keys():
            self._latest[tag] = numbers[tag]
        for tag, value in items:
            with self._warn_once.guard(f"value {tag}", f"'{tag}' cannot be logged"):
                at = self._step_of(tag, step)
                if tag in numbers:
                    writer.add_scalar(tag, numbers[tag], at)
                    self.summary.update_from_log(tag, numbers[tag])
                else:
                    dispatch.write(writer, tag, value, at)
                    if isinstance(value, str):
                        self.summary.update_from_log(tag, value[:MAX_SUMMARY_CHARACTERS])

    def _step_of(self, tag: str, step: int) -> int:
        step_metric = self._metrics.definition_of(tag).step_metric if self._metrics.step_metrics else ""
        if not step_metric or step_metric not in self._latest:
            return step
        latest = self._latest[step_metric]
        if latest != latest or not float(latest).is_integer():
            self._warn_once.warn(
                f"step metric {step_metric}",
                f"steps are whole numbers, but '{step_metric}' is {latest}: '{tag}' uses the run's own steps",
            )
            return step
        return int(latest)
