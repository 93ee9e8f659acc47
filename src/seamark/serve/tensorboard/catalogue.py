"""Series and points of the store, selected and sampled as TensorBoard's plugins do it."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seamark.format.types import Form, RunName, Tag
from seamark.kinds import DecodeError, decode
from seamark.plugin import RequestError, not_found
from seamark.serve.tensorboard.listings import Listings
from seamark.serve.tensorboard.metadata import metadata_of
from seamark.serve.tensorboard.scalar_tables import ScalarTables
from seamark.store import RunStore, ScalarPoints, SeriesInfo

LOG = logging.getLogger(__name__)
SeriesByTag = dict[str, dict[str, SeriesInfo]]  # run → tag → series
# How many points of a series TensorBoard's plugins send by default; the other plugins send every point.
DEFAULT_SAMPLES = {
    "scalars": 1000,
    "images": 10,
    "audio": 10,
    "histograms": 51,
    "distributions": 500,
    "text": 100,
    "pr_curves": 100,
    "mesh": 100,
}


@dataclass(frozen=True, slots=True)
class Point:
    """One decoded payload of a series."""

    index: int  # as Store.payload takes it
    step: int
    wall: float
    content: Any


class Catalogue:
    """Lists series and reads their points. Lists are cached until the store changes."""

    def __init__(self, store: RunStore, samples_per_plugin: Mapping[str, int]) -> None:
        self.store = store
        self.scalar_tables = ScalarTables(store)
        self.listings = Listings(store)
        self._samples = {**DEFAULT_SAMPLES, **samples_per_plugin}
        # Distributions are computed from histograms, and TensorBoard's flag has an entry for those only.
        self._samples["distributions"] = samples_per_plugin.get("histograms", DEFAULT_SAMPLES["distributions"])
        self._series: dict[str, tuple[int, SeriesByTag]] = {}
        self._lock = threading.Lock()

    def series(self, kind: str) -> SeriesByTag:
        """All series of a kind that the plugin of that name shows, in the order in which each run logged them.

        Runs without any are left out.
        """
        version = self.store.version
        with self._lock:
            known = self._series.get(kind)
        if known is not None and known[0] == version:
            return known[1]
        found: SeriesByTag = {}
        for info in self.store.series(kind=kind, in_file_order=True):
            if info.plugin == kind and metadata_of(info).is_supported:
                found.setdefault(info.run, {})[info.tag] = info
        with self._lock:
            self._series[kind] = version, found
        return found

    def find(self, kind: str, run: str, tag: str) -> SeriesInfo:
        info = self.series(kind).get(run, {}).get(tag)
        if info is None:
            raise no_series(kind, run, tag)
        return info

    def has_scalars(self, run: str, tag: str) -> bool:
        return tag in self.scalar_tables.of_run(run).metadata

    def scalars(self, run: str, tag: str) -> ScalarPoints:
        found = self.scalars_of_runs([run], tag)
        if run not in found:
            raise no_series("scalars", run, tag)
        return found[run]

    def scalars_of_runs(self, runs: Sequence[str], tag: str) -> dict[str, ScalarPoints]:
        """The points of each run that has the tag."""
        having = [RunName(run) for run in dict.fromkeys(runs) if self.has_scalars(run, tag)]
        found = self.store.tensorboard_scalars(having, Tag(tag))
        return {run: self._sampled(points) for run, points in found.items()}

    def points(self, info: SeriesInfo, *, plugin: str = "", last_only: bool = False) -> Iterator[Point]:
        """The decoded payloads of a series, as many as `plugin` sends (default: the plugin named like their kind).

        Payloads that cannot be decoded are left out.
        """
        listed = self.store.tensorboard_payloads(info.run, info.tag, info.kind)
        chosen = self.sample_positions(plugin or info.kind, len(listed))
        if last_only:
            chosen = chosen[-1:]
        for i in chosen.tolist():
            try:
                content = self.content(info, int(listed.index[i]))
            except DecodeError as error:
                LOG.info("left out: step %s of '%s' in '%s': %s", listed.steps[i], info.tag, info.run, error)
                continue
            yield Point(int(listed.index[i]), int(listed.steps[i]), float(listed.walls[i]), content)

    def content(self, info: SeriesInfo, index: int) -> Any:
        data = self.store.payload(info.run, info.tag, info.kind, index)
        if info.kind == "histograms":
            from seamark.kinds import histogram  # loads protobuf

            return histogram.decode(data, allow_nan=True)  # TensorBoard sends NaN edges, too
        # Legacy series come without metadata, or with metadata that names no plugin.
        form = None if metadata_of(info).is_legacy else Form.TENSOR
        return decode(info.kind, data, form=form, metadata=info.metadata)

    def sample_positions(self, plugin: str, count: int) -> NDArray[np.intp]:
        """Positions of the points to send: all, or as many as the plugin sends, evenly spread, ends included."""
        limit = self._samples.get(plugin, 0)
        if limit <= 0 or count <= limit:
            return np.arange(count)
        if limit == 1:
            return np.array([count - 1])
        return np.round(np.linspace(0, count - 1, limit)).astype(np.intp)

    def _sampled(self, points: ScalarPoints) -> ScalarPoints:
        chosen = self.sample_positions("scalars", len(points))
        if len(chosen) == len(points):
            return points
        return ScalarPoints(points.steps[chosen], points.walls[chosen], points.values[chosen])


def no_series(kind: str, run: str, tag: str) -> RequestError:
    return not_found(f"the run '{run}' has no {kind} with the tag '{tag}'")
