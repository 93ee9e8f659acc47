"""Leaves large attributes out of graphs."""

from __future__ import annotations

from seamark.format.messages import GraphDef


def drop_large_attributes(graph: GraphDef, limit_bytes: int, key: str) -> None:
    """Removes the attributes above the limit from each node, and lists their names in the attribute `key`."""
    for node in graph.node:
        if node.ByteSize() <= limit_bytes:
            continue
        for name in [name for name, value in node.attr.items() if value.ByteSize() > limit_bytes]:
            del node.attr[name]
            node.attr[key].list.s.append(name.encode())
