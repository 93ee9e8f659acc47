"""Builds summary values, events and framed records."""

from seamark import _core
from seamark.format.messages import SessionLog, Summary, SummaryMetadata, Tensor
from seamark.kinds import event
from seamark.kinds import metadata as metadata_kind
from seamark.kinds.event import Values


def tensor_value(
    tag: str,
    tensor: Tensor,
    *,
    plugin_name: str,
    content: bytes = b"",
    display_name: str = "",
    description: str = "",
) -> Summary.Value:
    """A tensor, with metadata that names its plugin: the modern form of every kind."""
    metadata: SummaryMetadata = metadata_kind.encode(
        plugin_name, content, display_name=display_name, description=description
    )
    return Summary.Value(tag=tag, metadata=metadata, tensor=tensor)


def event_record(values: Values, *, step: int, wall_time: float) -> bytes:
    """A framed record with one or several values."""
    return _core.frame(event.summary_event(values, step=step, wall_time=wall_time))


def graph_record(graph_def: bytes, *, wall_time: float, step: int = 0) -> bytes:
    """A framed record with a serialized GraphDef."""
    return _core.frame(event.graph_event(graph_def, step=step, wall_time=wall_time))


def session_log_record(log: SessionLog, *, step: int, wall_time: float) -> bytes:
    return _core.frame(event.session_log_event(log, step=step, wall_time=wall_time))
