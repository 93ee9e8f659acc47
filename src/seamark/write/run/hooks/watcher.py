"""Watcher: logs gradients, weights and activations of a torch module at an interval, through torch's hooks."""

from __future__ import annotations

import logging
import os
from typing import TYPE_CHECKING, Any, Protocol

from seamark.write.queue.warn_once import WarnOnce
from seamark.write.run.config import settings

if TYPE_CHECKING:
    from seamark.write.run.hooks.tensor_stats import Stats
    from seamark.write.writer.summary_writer import SummaryWriter

TARGETS = ("gradients", "parameters", "activations")
DEFAULT_LOG_FREQ = 100

logger = logging.getLogger(__name__)


class WatchingRun(Protocol):
    """The part of a run that a watcher needs."""

    pid: int

    @property
    def name(self) -> str: ...
    @property
    def step(self) -> int: ...
    @property
    def is_live(self) -> bool: ...
    @property
    def disabled(self) -> bool: ...
    @property
    def writer(self) -> SummaryWriter | None: ...


def watch_model(
    model: Any,
    run: WatchingRun,
    *,
    log: str = "gradients",
    log_freq: int = DEFAULT_LOG_FREQ,
    histogram_interval: int | None = None,
    name: str = "",
) -> Watcher:
    """Checks the arguments of seamark.watch() and installs the hooks."""
    if not is_torch_module(model):
        raise TypeError(f"watch() takes a torch.nn.Module: got {type(model).__name__}")
    targets = set(TARGETS) if log == "all" else {word.strip() for word in str(log).split("|")}
    if not targets or targets - set(TARGETS):
        raise ValueError(f"log is one or several of {', '.join(TARGETS)} joined by '|', or 'all': got {log!r}")
    if log_freq < 1:
        raise ValueError(f"log_freq is a number of forward passes, 1 or more: got {log_freq}")
    interval = settings.histogram_interval() if histogram_interval is None else histogram_interval
    interval = log_freq if interval is None else max(0, int(interval))
    unwatch(model)
    return Watcher(model, run, targets, log_freq=log_freq, histogram_interval=interval, prefix=name)


def unwatch(model: Any = None) -> None:
    """Removes the hooks of a model, or of all watched models."""
    for watcher in [each for each in _watchers if model is None or each.model is model]:
        watcher.remove()


def is_torch_module(model: Any) -> bool:
    """Without importing torch: a program with a module has imported it."""
    return any(base.__name__ == "Module" and base.__module__.startswith("torch.nn") for base in type(model).__mro__)


class Watcher:
    """Counts forward passes in training. When one is due, it measures activations, weights and then gradients."""

    def __init__(
        self, model: Any, run: WatchingRun, targets: set[str], *, log_freq: int, histogram_interval: int, prefix: str
    ) -> None:
        self.model, self._run = model, run
        self._log_freq, self._histogram_interval = log_freq, histogram_interval
        self._prefix = f"{prefix}/" if prefix else ""
        self._warn_once = WarnOnce(logger, run.name)
        self._passes = -1
        self._step = 0
        self._is_due = self._wants_histograms = False
        self._totals: dict[str, list[float]] = {}
        self._non_finite_tags: set[str] = set()
        self._handles: list[Any] = [model.register_forward_pre_hook(self._before_forward)]
        if run.disabled:
            self.remove()  # nothing is logged, so the training must not be slowed down
            return
        if "parameters" in targets:
            self._handles.append(model.register_forward_hook(self._weights))
        if "activations" in targets:
            leaves = [(path, module) for path, module in model.named_modules() if not any(module.children())]
            self._handles += [module.register_forward_hook(self._activation(path)) for path, module in leaves]
        if "gradients" in targets:
            trained = [(path, weight) for path, weight in model.named_parameters() if weight.requires_grad]
            self._handles += [weight.register_hook(self._gradient(path)) for path, weight in trained]
        _watchers.append(self)

    def remove(self) -> None:
        for handle in self._handles:
            handle.remove()
        self._handles = []
        if self in _watchers:
            _watchers.remove(self)

    def _before_forward(self, module: Any, inputs: Any) -> None:
        self._write_totals()
        self._is_due = self._wants_histograms = False
        if not module.training or not self._run.is_live or os.getpid() != self._run.pid:
            return
        self._passes += 1
        self._is_due = self._passes % self._log_freq == 0
        interval = self._histogram_interval
        self._wants_histograms = interval > 0 and self._passes % interval == 0
        self._step = self._run.step

    def _weights(self, module: Any, inputs: Any, output: Any) -> None:
        if self._is_due or self._wants_histograms:
            for path, weight in module.named_parameters():
                self._measure("parameters", path, weight)

    def _activation(self, path: str) -> Any:
        def hook(module: Any, inputs: Any, output: Any) -> None:
            first = output[0] if isinstance(output, tuple | list) and output else output
            if (self._is_due or self._wants_histograms) and hasattr(first, "detach"):
                self._measure("activations", path or "output", first)

        return hook

    def _gradient(self, path: str) -> Any:
        def hook(gradient: Any) -> None:
            if self._is_due or self._wants_histograms:
                self._measure("gradients", path, gradient)

        return hook

    def _measure(self, target: str, path: str, tensor: Any) -> None:
        from seamark.kinds import histogram
        from seamark.write.run.hooks import tensor_stats

        writer = self._run.writer
        if writer is None:
            return
        with self._warn_once.guard(f"watch {target}", f"{target} of '{path}' cannot be watched"):
            tag = f"{self._prefix}{target}/{path}"
            if self._is_due:
                stats = tensor_stats.stats_of(tensor)
                if stats is not None:
                    self._write_stats(writer, target, tag, stats)
            if self._wants_histograms:
                buckets = tensor_stats.buckets_of(tensor)
                if buckets is not None:
                    writer.sink.add(histogram.encode_buckets(tag, buckets), self._step)

    def _write_stats(self, writer: Any, target: str, tag: str, stats: Stats) -> None:
        named = {"norm": stats.norm, "mean": stats.mean, "std": stats.std, "zeros": stats.zeros}
        # Counts of NaN and infinity are logged from the first one on; until then only the totals say 0.
        if stats.nan or stats.inf or tag in self._non_finite_tags:
            self._non_finite_tags.add(tag)
            named |= {"nan": stats.nan, "inf": stats.inf}
        for name, value in named.items():
            writer.add_scalar(f"{tag}/{name}", value, self._step)
        totals = self._totals.setdefault(target, [0.0, 0.0, 0.0])
        for index, value in enumerate((stats.norm**2, stats.nan, stats.inf)):
            totals[index] += value

    def _write_totals(self) -> None:
        """Logs the totals of the previous pass: its gradients are complete only when the next pass begins."""
        writer, totals = self._run.writer, self._totals
        self._totals = {}
        if writer is None:
            return
        for target, (squares, nan, inf) in totals.items():
            for name, value in (("norm", squares**0.5), ("nan", nan), ("inf", inf)):
                writer.add_scalar(f"{self._prefix}{target}/all/{name}", value, self._step)


_watchers: list[Watcher] = []
