"""Source lines of nodes from the debug info of a GraphDef."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from google.protobuf.message import DecodeError

from seamark.format.messages import GraphDebugInfo

MAX_BYTES = 64 << 20


def source_lines(data: bytes, names: Sequence[str]) -> dict[int, str]:
    """Node → "model.py:71", for the nodes that have a stack trace. Nothing if the data is malformed or too large."""
    if len(data) > MAX_BYTES:
        return {}
    try:
        info = GraphDebugInfo.FromString(data)
    except DecodeError:
        return {}
    node_of = {name: node for node, name in enumerate(names)}
    found: dict[int, str] = {}
    for key, frames in _traces(info):
        # A key is "node@function", and "node@" for a node of the graph.
        name = key.partition("@")[0]
        if name in node_of and frames:
            frame = frames[-1]
            is_known = 0 <= frame.file_index < len(info.files)
            file = PurePosixPath(info.files[frame.file_index]).name if is_known else "?"
            found.setdefault(node_of[name], f"{file}:{frame.line}")
    return found


def _traces(info: GraphDebugInfo) -> Iterator[tuple[str, list[GraphDebugInfo.FileLineCol]]]:
    for key, trace in info.traces.items():
        yield key, list(trace.file_line_cols)
    for key, trace_id in info.name_to_trace_id.items():
        if trace_id not in info.traces_by_id:
            continue
        trace = info.traces_by_id[trace_id]
        frames = [info.frames_by_id[frame] for frame in trace.frame_id if frame in info.frames_by_id]
        yield key, frames or list(trace.file_line_cols)
