"""Reads GraphDefs in protobuf's text format (.pbtxt)."""

from __future__ import annotations

import codecs

from seamark.format.message_text import parse_message_text
from seamark.format.messages import GraphDef
from seamark.graphs.form import Graph, GraphError
from seamark.graphs.readers.graph_def import from_graph_def

MAX_TEXT_BYTES = 200 << 20


def from_text(text: str | bytes, *, title: str) -> Graph:
    if len(text) > MAX_TEXT_BYTES:
        size, limit = len(text) >> 20, MAX_TEXT_BYTES >> 20
        raise GraphError(f"the text has {size:,} MB, more than the limit of {limit} MB; save the graph as .pb instead")
    try:
        encoded = text.encode(errors="replace") if isinstance(text, str) else text
        data = parse_message_text(GraphDef, encoded.removeprefix(codecs.BOM_UTF8))
    except ValueError as error:
        raise GraphError(f"this is no GraphDef in text format: {error}") from error
    return from_graph_def(data, title=title)
