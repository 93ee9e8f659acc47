"""The store as the routes see it: series by run and tag, their points, and how many of them are wanted."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seamark.format.types import Form, RunName, Tag
from seamark.kinds import DecodeError, decode, histogram
from seamark.kinds.safe_html import description_html
from seamark.serve.answers import json_bytes
from seamark.serve.tensorboard.question import RefusalError, not_found
from seamark.store import ScalarPoints, SeriesInfo, Store

SeriesByTag = dict[str, dict[str, SeriesInfo]]  # run → tag → series
ScalarPoint = tuple[float, int, float]  # wall time, step, value
NEWEST_KNOWN_VERSION = 0
# How many points of a series TensorBoard's plugins send unless told otherwise; of all others every point is sent.
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
    """One payload of a series and what it says."""

    index: int  # as Store.payload takes it
    step: int
    wall: float
    content: Any


class ScalarTable:
    """The scalar series of a run that the scalars plugin would show. Runs of a sweep share one."""

    def __init__(self, series: Sequence[tuple[Tag, bytes]]) -> None:
        self.metadata: dict[str, bytes] = {
            tag: metadata
            for tag, metadata in series
            if described(metadata)[0] in ("", "scalars") and version_of(described(metadata)[1]) <= NEWEST_KNOWN_VERSION
        }

    @cached_property
    def json(self) -> bytes:
        """Tag → what to call it and what it is about."""
        return json_bytes(
            {
                tag: {"displayName": name or (tag if is_legacy else ""), "description": description_html(description)}
                for tag, metadata in self.metadata.items()
                for is_legacy, name, description in [labels_of(metadata)]
            }
        )


class Catalogue:
    """Questions to the store, the list of series remembered as long as nothing changes."""

    def __init__(self, store: Store, samples_per_plugin: Mapping[str, int]) -> None:
        self.store = store
        self._samples = {**DEFAULT_SAMPLES, **samples_per_plugin}
        # Distributions are drawn from histograms, and TensorBoard's flag knows only those.
        self._samples["distributions"] = samples_per_plugin.get("histograms", DEFAULT_SAMPLES["distributions"])
        self._lists: dict[str, tuple[int, SeriesByTag]] = {}
        self._scalars: tuple[int, dict[str, ScalarTable]] = (-1, {})
        self._by_layout: dict[tuple[object, ...], ScalarTable] = {}
        self._lock = threading.Lock()

    def series(self, kind: str) -> SeriesByTag:
        """All series of a kind that the plugin of that name would show, in the order in which each run logged them.

        Runs without any are left out.
        """
        version = self.store.version
        with self._lock:
            known = self._lists.get(kind)
        if known is not None and known[0] == version:
            return known[1]
        found: SeriesByTag = {}
        for info in self.store.series(kind=kind, in_file_order=True):
            if info.plugin == kind and version_of(content_of(info)) <= NEWEST_KNOWN_VERSION:
                found.setdefault(info.run, {})[info.tag] = info
        with self._lock:
            self._lists[kind] = version, found
        return found

    def scalar_tables(self) -> dict[str, ScalarTable]:
        """By run, without those that have none. Made anew of runs whose series changed: points cost nothing here."""
        version = self.store.version
        with self._lock:
            if self._scalars[0] == version:
                return self._scalars[1]
            by_layout: dict[tuple[object, ...], ScalarTable] = {}
            found: dict[str, ScalarTable] = {}
            for run in sorted(self.store.run_names()):
                layout = self.store.layout(run)
                table = by_layout.get(layout) or self._by_layout.get(layout)
                by_layout[layout] = table = table or ScalarTable(self.store.metadata(run, "scalars"))
                if table.metadata:
                    found[run] = table
            self._by_layout, self._scalars = by_layout, (version, found)
            return found

    def find(self, kind: str, run: str, tag: str) -> SeriesInfo:
        info = self.series(kind).get(run, {}).get(tag)
        if info is None:
            raise no_series(kind, run, tag)
        return info

    def has_scalars(self, run: str, tag: str) -> bool:
        table = self.scalar_tables().get(run)
        return table is not None and tag in table.metadata

    def scalars(self, run: str, tag: str) -> list[ScalarPoint]:
        if not self.has_scalars(run, tag):
            raise no_series("scalars", run, tag)
        return self.scalars_of_runs([run], tag).get(run, [])

    def scalars_of_runs(self, runs: Sequence[str], tag: str) -> dict[str, list[ScalarPoint]]:
        """Of the runs that have the tag."""
        having = [RunName(run) for run in dict.fromkeys(runs) if self.has_scalars(run, tag)]
        found = self.store.tensorboard_scalars(having, Tag(tag))
        return {run: self._scalar_points(points) for run, points in found.items()}

    def points(self, info: SeriesInfo, *, plugin: str = "", last_only: bool = False) -> Iterator[Point]:
        """The payloads of a series, decoded, as many as `plugin` sends (default: the one named like their kind).

        One that cannot be read does not hide the others.
        """
        listed = self.store.tensorboard_payloads(info.run, info.tag, info.kind)
        chosen = self.wanted(plugin or info.kind, len(listed))
        if last_only:
            chosen = chosen[-1:]
        for i in chosen.tolist():
            try:
                content = self.content(info, int(listed.index[i]))
            except DecodeError:
                continue
            yield Point(int(listed.index[i]), int(listed.steps[i]), float(listed.walls[i]), content)

    def content(self, info: SeriesInfo, index: int) -> Any:
        data = self.store.payload(info.run, info.tag, info.kind, index)
        if info.kind == "histograms":
            return histogram.decode(data, allow_nan=True)  # TensorBoard sends edges that are NaN, too
        # Legacy forms come without metadata, or with some that names no plugin.
        form = None if is_legacy(info) else Form.TENSOR
        return decode(info.kind, data, form=form, metadata=info.metadata)

    def wanted(self, plugin: str, count: int) -> NDArray[np.intp]:
        """Positions of the points to send: all, or as many as the plugin sends, evenly spread, ends included."""
        limit = self._samples.get(plugin, 0)
        if limit <= 0 or count <= limit:
            return np.arange(count)
        if limit == 1:
            return np.array([count - 1])
        return np.round(np.linspace(0, count - 1, limit)).astype(np.intp)

    def _scalar_points(self, points: ScalarPoints) -> list[ScalarPoint]:
        chosen = self.wanted("scalars", len(points))
        columns = (points.walls[chosen], points.steps[chosen], points.values[chosen])
        return list(zip(*(column.tolist() for column in columns), strict=True))


def no_series(kind: str, run: str, tag: str) -> RefusalError:
    return not_found(f"there are no {kind} of the tag '{tag}' in the run '{run}'")


def content_of(info: SeriesInfo) -> bytes:
    """What the plugin itself noted with the series."""
    return described(info.metadata)[1]


def is_legacy(info: SeriesInfo) -> bool:
    """Whether it was written before there were plugins: as a plain number, image, histogram or clip."""
    return not described(info.metadata)[0]


def display_name(info: SeriesInfo) -> str:
    """TensorBoard gives legacy series their tag as name."""
    return info.display_name or (info.tag if is_legacy(info) else "")


@lru_cache(maxsize=4096)
def labels_of(metadata: bytes) -> tuple[bool, str, str]:
    """Whether the series is legacy, its display name and its description."""
    from seamark.kinds.metadata import decode as decode_metadata

    try:
        decoded = decode_metadata(metadata)
    except DecodeError:
        return True, "", ""
    return not decoded.plugin_name, decoded.display_name, decoded.description


@lru_cache(maxsize=4096)
def described(metadata: bytes) -> tuple[str, bytes]:
    """Plugin name and plugin content."""
    from seamark.kinds.metadata import decode as decode_metadata

    try:
        decoded = decode_metadata(metadata)
    except DecodeError:
        return "", b""
    return decoded.plugin_name, decoded.plugin_content


@lru_cache(maxsize=4096)
def version_of(content: bytes) -> int:
    """Field 1 of every plugin's own message. Some writers note JSON or a lone "1" instead: that is version 0."""
    if content in (b"", b"{}", b"1"):
        return 0
    from seamark.format.messages import ScalarPluginData
    from seamark.kinds.payload import parse

    try:
        return parse(ScalarPluginData, content, "plugin data").version
    except DecodeError:
        return 0
