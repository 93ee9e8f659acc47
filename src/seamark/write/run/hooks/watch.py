"""seamark.watch(model): watches a torch module for the current run."""

from __future__ import annotations

from typing import Any

from seamark.write.run.current import require_run
from seamark.write.run.hooks.watcher import DEFAULT_LOG_FREQ, Watcher, WatchingRun, unwatch, watch_model

__all__ = ["unwatch", "watch"]


def watch(
    model: Any,
    log: str = "gradients",
    log_freq: int = DEFAULT_LOG_FREQ,
    *,
    histogram_interval: int | None = None,
    name: str = "",
    run: WatchingRun | None = None,
) -> Watcher:
    """Logs statistics of `model` every `log_freq` forward passes in training, histograms every `histogram_interval`.

    `log` is "gradients", "parameters", "activations", several of them joined by "|", or "all". `histogram_interval`
    defaults to the setting in the environment or in seamark.toml, else to `log_freq`; 0 turns histograms off. `name`
    is a prefix of the tags; `run` defaults to the current run.
    """
    return watch_model(
        model,
        run or require_run("seamark.watch"),
        log=log,
        log_freq=log_freq,
        histogram_interval=histogram_interval,
        name=name,
    )
