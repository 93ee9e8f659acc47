"""The details of one box, as the route sends them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec
import numpy as np
from numpy.typing import NDArray

from seamark.dashboards.graphs import wire
from seamark.dashboards.graphs.boxes import count_or_none, group_ids, groups_around, items_of, layer_of, link_label
from seamark.dashboards.graphs.layer_tags import logged_tags
from seamark.format.types import RunName
from seamark.graphs import details as box_details
from seamark.graphs.attributes import AttributeValue, Large
from seamark.graphs.form import Graph
from seamark.graphs.layer_names import SEPARATOR
from seamark.graphs.levels.series import Item
from seamark.graphs.readers.keras.weights import WEIGHT_SHAPES
from seamark.graphs.session import GraphSession
from seamark.graphs.texts import dtype_text, shape_text
from seamark.plugin import not_found
from seamark.store import RunStore

if TYPE_CHECKING:
    from seamark.graphs.profiles import Profile

# A longer value is cut; the page requests the rest.
MAX_VALUE_CHARS = 1000
# torch writes the attributes of an operation as one text, which is empty for most.
NO_ATTRIBUTES = "{}"
SHOWN_ELSEWHERE = frozenset({"code", "source", WEIGHT_SHAPES})
# What Keras appends to the name of a weight.
KERAS_ENDING = re.compile(r"(?:_\d+)?(?:/histogram)?$")


def details(
    session: GraphSession, id: str, store: RunStore, run: RunName, finding: str, profile: Profile | None = None
) -> wire.DetailsResponse:
    graph = session.graph
    items = items_of(session, id)
    first = items[0]
    nodes = session.levels.nodes_of(items)
    inputs, input_count = box_details.inputs_of(session, nodes)
    outputs, output_count = box_details.outputs_of(session, nodes)
    source, code = box_details.source_of(session, nodes)
    layer = layer_of(graph, first)
    tags = logged_tags(store, run).of(layer) if run else []
    node = box_details.own_operation(session, first)
    attributes = {} if node is None else graph.nodes.attributes.of(node)
    cost = session.costs.multiply_adds[nodes]
    sizes = session.costs.output_bytes[nodes]
    return wire.DetailsResponse(
        id=id,
        label=first.label if len(items) == 1 else f"{first.label}–{items[-1].label}",
        type="series" if len(items) > 1 else "group" if first.is_group else "op",
        op=graph.groups.types[first.index] if first.is_group else graph.op(first.index),
        layer=layer,
        device="" if first.is_group else graph.nodes.device_names[graph.nodes.devices[first.index]],
        source=source,
        code=code or str(attributes.get("code", "")),
        nodes=len(nodes),
        inputs=link_entries(graph, inputs),
        input_count=input_count,
        outputs=link_entries(graph, outputs),
        output_count=output_count,
        output_shapes=[] if first.is_group else [shape_text(tensor.shape) for tensor in graph.outputs(first.index)],
        attributes=[
            attribute_entry(name, value)
            for name, value in {**box_details.stated_sizes(session, first, node), **attributes}.items()
            if name not in SHOWN_ELSEWHERE and value != NO_ATTRIBUTES
        ],
        weights=weight_entries(session, items, tags),
        parameters=count_or_none(graph, nodes),
        has_unknown_parameters=bool(graph.nodes.has_unknown_parameters[nodes].any()),
        trainable_parameters=int(graph.nodes.trainable_parameters[nodes].sum()),
        multiply_adds=sum_or_none(cost),
        has_unknown_multiply_adds=bool(np.isnan(cost).any()),
        output_bytes=sum_or_none(sizes),
        has_unknown_bytes=bool(np.isnan(sizes).any()),
        time=None if profile is None else sum_if_any(profile.time_us[nodes]),
        memory=None if profile is None else sum_if_any(profile.memory_bytes[nodes]),
        ops=box_details.op_counts(session, nodes) if first.is_group or len(items) > 1 else [],
        tags=[wire.TagEntry(kind, tag) for kind, tag in tags],
        groups=group_ids(graph, first),
        finding=finding,
    )


def sum_or_none(column: NDArray[np.float64]) -> float | None:
    """None where nothing is known but zeros."""
    total = float(np.nansum(column))
    return None if total == 0 and np.isnan(column).any() else total


def sum_if_any(column: NDArray[np.float64]) -> float | None:
    return None if np.isnan(column).all() else float(np.nansum(column))


def attribute_text(session: GraphSession, id: str, name: str) -> str:
    node = session.levels.node_of.get(id)
    attributes = {} if node is None else session.graph.nodes.attributes.of(node)
    if name not in attributes:
        raise not_found(f"the node '{id}' has no attribute '{name}'")
    return value_text(attributes[name])


def link_entries(graph: Graph, links: Iterable[box_details.Link]) -> list[wire.LinkEntry]:
    return [
        wire.LinkEntry(
            id=graph.nodes.ids[link.node],
            label=link_label(graph, link.node),
            shape=shape_text(link.tensor.shape),
            dtype=dtype_text(link.tensor.dtype),
            is_control=link.is_control,
            count=link.count,
            groups=[graph.groups.ids[group] for group in groups_around(graph, int(graph.nodes.groups[link.node]))],
        )
        for link in links
    ]


def weight_entries(
    session: GraphSession, items: tuple[Item, ...], tags: list[tuple[str, str]]
) -> list[wire.WeightEntry]:
    graph = session.graph
    histograms = [tag for kind, tag in tags if kind == "histograms"]
    entries = []
    for weight in box_details.weights_of(session, items):
        entries.append(
            wire.WeightEntry(
                id=graph.nodes.ids[weight.node],
                label=weight.label,
                shape=shape_text(weight.tensor.shape),
                dtype=dtype_text(weight.tensor.dtype),
                count=weight.count,
                is_trainable=weight.is_trainable,
                histogram=next((tag for tag in histograms if names_weight(tag, weight.label)), None),
            )
        )
    return entries


def names_weight(tag: str, label: str) -> bool:
    """Whether a tag is that of the weight itself, such as "dense/kernel/histogram" of Keras' callback."""
    if "grad" in tag.lower():
        return False
    end = SEPARATOR.sub("/", f"/{label}")
    return any(SEPARATOR.sub("/", f"/{name}").endswith(end) for name in (tag, KERAS_ENDING.sub("", tag)))


def attribute_entry(name: str, value: AttributeValue) -> wire.AttributeEntry:
    if isinstance(value, Large):
        return wire.AttributeEntry(name, value.text, value.bytes)
    text = value_text(value)
    is_cut = len(text) > MAX_VALUE_CHARS
    return wire.AttributeEntry(name, text[:MAX_VALUE_CHARS], len(text.encode()) if is_cut else None)


def value_text(value: AttributeValue) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, Large):
        return value.text
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return msgspec.json.encode(value).decode()
