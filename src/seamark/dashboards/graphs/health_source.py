"""HealthSource: reads what a run logged under the names of a graph's layers."""

from __future__ import annotations

import threading
from collections import OrderedDict

import numpy as np

from seamark.dashboards.graphs.layer_tags import logged_tags
from seamark.format.types import RunName, Tag
from seamark.graphs.form import Graph
from seamark.graphs.health import Health, Signal, health_at
from seamark.graphs.layer_names import layer_of_group
from seamark.store import Store

# A layer with more tags than this is judged by the first ones.
MAX_TAGS_PER_LAYER = 12
# Histograms are decoded one by one; this many of a series show where it breaks.
MAX_HISTOGRAMS = 60
MAX_RUNS = 4


class HealthSource:
    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._cache: OrderedDict[tuple[RunName, int], dict[str, Signal]] = OrderedDict()

    def by_group(self, run: RunName, graph: Graph, step: int | None) -> dict[int, Health]:
        """The health of every group whose layer has tags of its own."""
        tags = logged_tags(self._store, run)
        signals = self._signals_of(run)
        found: dict[int, Health] = {}
        for group in range(1, len(graph.groups)):
            named = tags.of(layer_of_group(graph, group))[:MAX_TAGS_PER_LAYER]
            if named:
                found[group] = health_at([self._signal(run, kind, Tag(tag), signals) for kind, tag in named], step)
        return found

    def steps(self, run: RunName, graph: Graph) -> list[int]:
        """The steps at which the layers logged something."""
        self.by_group(run, graph, None)
        series = [signal.steps for signal in self._signals_of(run).values()]
        return np.unique(np.concatenate(series)).tolist() if series else []

    def _signals_of(self, run: RunName) -> dict[str, Signal]:
        """The cache of a run at the store's present version."""
        with self._lock:
            found = self._cache.setdefault((run, self._store.version), {})
            self._cache.move_to_end((run, self._store.version))
            while len(self._cache) > MAX_RUNS:
                self._cache.popitem(last=False)
            return found

    def _signal(self, run: RunName, kind: str, tag: Tag, cache: dict[str, Signal]) -> Signal:
        key = f"{kind}\0{tag}"
        if key not in cache:
            cache[key] = self._read_scalars(run, tag) if kind == "scalars" else self._read_histograms(run, tag)
        return cache[key]

    def _read_scalars(self, run: RunName, tag: Tag) -> Signal:
        window = self._store.scalars([run], tag, columns=("step", "last"))
        rows = window.rows(run) if run in window.runs else slice(0, 0)
        return Signal(tag, is_gradient(tag), window.step[rows], window.last[rows], np.zeros(0))

    def _read_histograms(self, run: RunName, tag: Tag) -> Signal:
        series = self._store.histograms(run, tag, limit=MAX_HISTOGRAMS)
        kept = [at for at, histogram in enumerate(series.histograms) if histogram is not None]
        norms, zeros = np.zeros(len(kept)), np.zeros(len(kept))
        for at, index in enumerate(kept):
            histogram = series.histograms[index]
            middle = (histogram.left + histogram.right) / 2
            total = histogram.count.sum()
            norms[at] = np.nan if histogram.left_out > 0 else np.sqrt(np.sum(histogram.count * middle**2))
            at_zero = (histogram.left <= 0) & (histogram.right >= 0) & (histogram.right - histogram.left < 1e-6)
            zeros[at] = histogram.count[at_zero].sum() / total if total else 0.0
        is_activation = any(word in tag.lower() for word in ("activ", "output"))
        return Signal(tag, is_gradient(tag), series.steps[kept], norms, zeros if is_activation else np.zeros(0))


def is_gradient(tag: str) -> bool:
    return "grad" in tag.lower()
