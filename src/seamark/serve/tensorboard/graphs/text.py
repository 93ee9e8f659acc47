"""Graphs as protobuf text, without attributes above a size limit."""

from __future__ import annotations

from google.protobuf import text_format
from google.protobuf.message import Message

from seamark.format.messages import GraphDef, VersionDef


def to_text(message: Message) -> str:
    """`str` formats in C, several times as fast as text_format, but its format is not guaranteed."""
    is_plain = str(VersionDef(producer=1, bad_consumers=[2])) == "producer: 1\nbad_consumers: 2\n"
    return str(message) if is_plain else text_format.MessageToString(message)


def drop_large_attributes(graph: GraphDef, limit_bytes: int, key: str) -> None:
    """Removes the attributes above the limit from each node, and lists their names in the attribute `key`."""
    for node in graph.node:
        if node.ByteSize() <= limit_bytes:
            continue
        for name in [name for name, value in node.attr.items() if value.ByteSize() > limit_bytes]:
            del node.attr[name]
            node.attr[key].list.s.append(name.encode())
