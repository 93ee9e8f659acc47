"""Reads GraphDefs in protobuf's text format (.pbtxt)."""

from __future__ import annotations

from google.protobuf import text_format

from seamark.format.messages import GraphDef
from seamark.graphs.form import Graph, GraphError
from seamark.graphs.readers.graph_def import from_graph_def

MAX_TEXT_BYTES = 200 << 20


def from_text(text: str | bytes, *, title: str) -> Graph:
    if len(text) > MAX_TEXT_BYTES:
        size, limit = len(text) >> 20, MAX_TEXT_BYTES >> 20
        raise GraphError(f"the text has {size:,} MB, more than the limit of {limit} MB; save the graph as .pb instead")
    message = GraphDef()
    try:
        text_format.Parse(text, message, allow_unknown_field=True)
    except (text_format.ParseError, UnicodeDecodeError) as error:
        raise GraphError(f"this is no GraphDef in text format: {_first_line(error)}") from error
    except RecursionError as error:
        raise GraphError("the messages of the text are nested too deeply") from error
    return from_graph_def(message.SerializeToString(), title=title)


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [""])[0][:300]
