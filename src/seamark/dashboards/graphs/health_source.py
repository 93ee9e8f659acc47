"""HealthSource: reads what a run logged under the names of a graph's layers."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from seamark.dashboards.graphs.layer_tags import logged_tags
from seamark.format.types import RunName, Tag
from seamark.graphs.form import Graph
from seamark.graphs.health import Health, Signal, health_at
from seamark.graphs.layer_names import layer_of_group, layer_of_node, split_statistic
from seamark.graphs.levels.series import Item
from seamark.graphs.session import GraphSession
from seamark.store import RunStore

# A layer with more tags than this is judged by the first ones.
MAX_TAGS_PER_LAYER = 32
# Histograms are decoded one by one; this many of a series show where it breaks.
MAX_HISTOGRAMS = 60
MAX_RUNS = 4
# The details of a large group are judged by its first layers.
MAX_LAYERS = 40
KERAS = "keras"


class LayerHealth(NamedTuple):
    groups: dict[int, Health]
    nodes: dict[int, Health]
    steps: list[int]  # at which the layers logged something

    def findings(self, session: GraphSession) -> list[tuple[Item, Health]]:
        """The layers with something wrong: the one where NaN began first, then the worst, in the order of the data."""
        found = [(session.levels.item(index, is_group=True), health) for index, health in self.groups.items()]
        found += [(session.levels.item(index, is_group=False), health) for index, health in self.nodes.items()]

        def place(entry: tuple[Item, Health]) -> tuple[int, ...]:
            item, health = entry
            # A layer is behind those inside it: its output is the last of theirs.
            last = int(session.levels.nodes_of((item,)).max(initial=-1))
            depth = len(session.graph.groups.ids[item.index].split("/")) if item.is_group else 0
            return health.rank, *(health.broken.place(last) if health.broken else (0, 0, last)), -depth

        return sorted((entry for entry in found if entry[1].word), key=place)


class HealthSource:
    def __init__(self, store: RunStore) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._cache: OrderedDict[tuple[RunName, int], dict[str, Signal]] = OrderedDict()

    def by_layer(self, run: RunName, graph: Graph, step: int | None) -> LayerHealth:
        """The health of every group whose layer has tags of its own; of a Keras model, whose layers are nodes, too."""
        signals = self._signals_of(run)
        judge = self._judge(run, step, signals)
        groups = {group: judge(layer_of_group(graph, group)) for group in range(1, len(graph.groups))}
        nodes = range(len(graph.nodes)) if graph.format == KERAS else ()
        by_node = {node: judge(layer_of_node(graph, node)) for node in nodes}
        return LayerHealth(
            groups={group: health for group, health in groups.items() if health is not None},
            nodes={node: health for node, health in by_node.items() if health is not None},
            steps=_steps(signals),
        )

    def of_items(self, run: RunName, session: GraphSession, items: Sequence[Item]) -> list[Health]:
        """The health of some boxes and of the layers in them, at the last step."""
        graph, judge = session.graph, self._judge(run, None, self._signals_of(run))
        layers: list[str] = []
        for item in items:
            if item.is_group:
                last = min(int(graph.groups.ends[item.index]), item.index + MAX_LAYERS)
                layers += [layer_of_group(graph, group) for group in range(item.index, last)]
            else:
                layers.append(layer_of_node(graph, item.index))
        return [health for health in map(judge, layers) if health is not None]

    def _judge(self, run: RunName, step: int | None, signals: dict[str, Signal]) -> Callable[[str], Health | None]:
        tags = logged_tags(self._store, run)

        def judge(layer: str) -> Health | None:
            named = without_summarised(tags.of(layer))[:MAX_TAGS_PER_LAYER]
            found = [self._signal(run, kind, Tag(tag), signals) for kind, tag in named]
            return health_at(found, step) if found else None

        return judge

    def _signals_of(self, run: RunName) -> dict[str, Signal]:
        """The cache of a run at the store's present version."""
        key = (run, self._store.version)
        with self._lock:
            found = self._cache.setdefault(key, {})
            self._cache.move_to_end(key)
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
        return scalar_signal(tag, window.step[rows], window.last[rows])

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
        zero_shares = zeros if is_activation(tag) else np.zeros(0)
        return Signal(tag, is_gradient(tag), series.steps[kept], norms, zero_shares, is_activation=is_activation(tag))


def scalar_signal(tag: Tag, steps: NDArray[np.int64], values: NDArray[np.float64]) -> Signal:
    """`seamark.watch` computes its statistics from the finite elements, and counts the others in "nan" and "inf"."""
    tensor, statistic = split_statistic(tag)
    if statistic in ("nan", "inf"):
        values = np.where(values == 0, 0.0, float(statistic))
    zero_shares = values if statistic == "zeros" and is_activation(tag) else np.zeros(0)
    return Signal(
        tensor,
        is_gradient(tag),
        steps,
        values,
        zero_shares,
        is_norm=statistic in ("", "norm"),
        is_activation=is_activation(tag),
    )


def without_summarised(named: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Without histograms whose norms are scalars too: a gradient counts once, and decoding takes time."""
    with_norm = {tensor for kind, tag in named for tensor, what in [split_statistic(tag)] if what == "norm"}
    return [(kind, tag) for kind, tag in named if kind == "scalars" or tag not in with_norm]


def is_activation(tag: str) -> bool:
    return any(word in tag.lower() for word in ("activ", "output"))


def is_gradient(tag: str) -> bool:
    return "grad" in tag.lower()


def _steps(signals: dict[str, Signal]) -> list[int]:
    # A copy: another request may be adding signals.
    series = [signal.steps for signal in list(signals.values())]
    return np.unique(np.concatenate(series)).tolist() if series else []
