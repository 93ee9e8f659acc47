"""The tags that a run logged, by layer."""

from __future__ import annotations

from seamark.format.types import RunName
from seamark.graphs.layer_names import LayerTags
from seamark.store import RunStore

KINDS = ("scalars", "histograms")


def logged_tags(store: RunStore, run: RunName) -> LayerTags:
    by_kind = store.tags(run=run).get(run, {})
    return LayerTags((kind, tag) for kind in KINDS for tag in by_kind.get(kind, ()))
