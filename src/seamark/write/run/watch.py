"""seamark.watch(model): gradients, weights and activations of a torch module, at an interval, through hooks."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from seamark.write.run import current, settings
from seamark.write.warn_once import WarnOnce

if TYPE_CHECKING:
    from seamark.write.run.run import Run
    from seamark.write.run.tensor_stats import Stats

WHAT = ("gradients", "parameters", "activations")
DEFAULT_LOG_FREQ = 100


def watch(
    model: Any,
    log: str = "gradients",
    log_freq: int = DEFAULT_LOG_FREQ,
    *,
    histogram_interval: int | None = None,
    name: str = "",
    run: Run | None = None,
) -> Watcher:
    """Logs statistics of `model` each `log_freq` forward passes in training, and histograms each `histogram_interval`.

    `log` is "gradients", "parameters", "activations", several of them joined by "|", or "all". `histogram_interval`
    is by default what the environment or seamark.toml says, else `log_freq`; 0 turns histograms off.
    """
    if not is_torch_module(model):
        raise TypeError(f"watch() takes a torch.nn.Module: got {type(model).__name__}")
    wanted = set(WHAT) if log == "all" else {word.strip() for word in str(log).split("|")}
    if not wanted or wanted - set(WHAT):
        raise ValueError(f"log is one or several of {', '.join(WHAT)} joined by '|', or 'all': got {log!r}")
    if log_freq < 1:
        raise ValueError(f"log_freq is a number of forward passes, 1 or more: got {log_freq}")
    chosen = settings.histogram_interval() if histogram_interval is None else histogram_interval
    every = log_freq if chosen is None else max(0, int(chosen))
    of_run = run or current.needed("seamark.watch")
    unwatch(model)
    return Watcher(model, of_run, wanted, log_freq=log_freq, histogram_interval=every, prefix=name)


def unwatch(model: Any = None) -> None:
    """Takes the hooks away; without a model, from all that are watched."""
    for watcher in [each for each in _watchers if model is None or each.model is model]:
        watcher.remove()


def is_torch_module(model: Any) -> bool:
    """Without importing torch: whoever has a module has imported it."""
    return any(kind.__name__ == "Module" and kind.__module__.startswith("torch.nn") for kind in type(model).__mro__)


class Watcher:
    """Counts forward passes in training. In the due ones activations, weights and then gradients are looked at."""

    def __init__(
        self, model: Any, run: Run, wanted: set[str], *, log_freq: int, histogram_interval: int, prefix: str
    ) -> None:
        self.model, self._run = model, run
        self._log_freq, self._histogram_interval = log_freq, histogram_interval
        self._prefix = f"{prefix}/" if prefix else ""
        self._warnings = WarnOnce(run.name)
        self._passes = -1
        self._step = 0
        self._is_due = self._wants_histograms = False
        self._totals: dict[str, list[float]] = {}
        self._bad: set[str] = set()
        self._handles: list[Any] = [model.register_forward_pre_hook(self._before_forward)]
        if run.disabled:
            self.remove()  # not the chief: nothing is to be logged, and nothing to be slowed down
            return
        if "parameters" in wanted:
            self._handles.append(model.register_forward_hook(self._weights))
        if "activations" in wanted:
            leaves = [(path, module) for path, module in model.named_modules() if not any(module.children())]
            self._handles += [module.register_forward_hook(self._activation(path)) for path, module in leaves]
        if "gradients" in wanted:
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
        self._is_due = False
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
                self._look("parameters", path, weight)

    def _activation(self, path: str) -> Any:
        def hook(module: Any, inputs: Any, output: Any) -> None:
            first = output[0] if isinstance(output, tuple | list) and output else output
            if (self._is_due or self._wants_histograms) and hasattr(first, "detach"):
                self._look("activations", path or "output", first)

        return hook

    def _gradient(self, path: str) -> Any:
        def hook(gradient: Any) -> None:
            if self._is_due or self._wants_histograms:
                self._look("gradients", path, gradient)

        return hook

    def _look(self, kind: str, path: str, tensor: Any) -> None:
        from seamark.kinds import histogram
        from seamark.write.run import tensor_stats

        writer = self._run.writer
        if writer is None:
            return
        with self._warnings.guarded(f"watch {kind}", f"{kind} of '{path}' cannot be watched"):
            tag = f"{self._prefix}{kind}/{path}"
            if self._is_due:
                stats = tensor_stats.stats_of(tensor)
                if stats is not None:
                    self._write_stats(writer, kind, tag, stats)
            if self._wants_histograms:
                buckets = tensor_stats.buckets_of(tensor)
                if buckets is not None:
                    writer._add(histogram.encode_buckets(tag, buckets), self._step, None)

    def _write_stats(self, writer: Any, kind: str, tag: str, stats: Stats) -> None:
        named = {"norm": stats.norm, "mean": stats.mean, "std": stats.std, "zeros": stats.zeros}
        # What should not be there gets tags of its own with the first one; until then the sum over all says 0.
        if stats.nan or stats.inf or tag in self._bad:
            self._bad.add(tag)
            named |= {"nan": stats.nan, "inf": stats.inf}
        for name, value in named.items():
            writer.add_scalar(f"{tag}/{name}", value, self._step)
        totals = self._totals.setdefault(kind, [0.0, 0.0, 0.0])
        for place, value in enumerate((stats.norm**2, stats.nan, stats.inf)):
            totals[place] += value

    def _write_totals(self) -> None:
        """Of the pass before: its gradients are all there only when the next one begins."""
        writer, totals = self._run.writer, self._totals
        self._totals = {}
        if writer is None:
            return
        for kind, (squares, nan, inf) in totals.items():
            for name, value in (("norm", squares**0.5), ("nan", nan), ("inf", inf)):
                writer.add_scalar(f"{self._prefix}{kind}/all/{name}", value, self._step)


_watchers: list[Watcher] = []
