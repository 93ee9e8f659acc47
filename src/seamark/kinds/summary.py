"""Values into events, events into framed records."""

from collections.abc import Sequence

from seamark.format.messages import Event, SessionLog, Summary, SummaryMetadata, TaggedRunMetadata, Tensor
from seamark.kinds import metadata as metadata_kind


def tensor_value(
    tag: str,
    tensor: Tensor,
    *,
    plugin_name: str,
    content: bytes = b"",
    display_name: str = "",
    description: str = "",
) -> Summary.Value:
    """The modern form of every kind: a tensor, and the metadata saying who understands it."""
    metadata: SummaryMetadata = metadata_kind.encode(
        plugin_name, content, display_name=display_name, description=description
    )
    return Summary.Value(tag=tag, metadata=metadata, tensor=tensor)


def event_record(values: Summary.Value | Sequence[Summary.Value], *, step: int, wall_time: float) -> bytes:
    """One framed record holding the values."""
    several = [values] if isinstance(values, Summary.Value) else values
    return _frame(Event(step=step, wall_time=wall_time, summary=Summary(value=several)))


def graph_record(graph_def: bytes, *, wall_time: float, step: int = 0) -> bytes:
    """The run's graph; `graph_def` is a serialized GraphDef."""
    return _frame(Event(step=step, wall_time=wall_time, graph_def=graph_def))


def run_metadata_record(tag: str, run_metadata: bytes, *, step: int, wall_time: float) -> bytes:
    """What one profiled step cost; `run_metadata` is a serialized RunMetadata."""
    tagged = TaggedRunMetadata(tag=tag, run_metadata=run_metadata)
    return _frame(Event(step=step, wall_time=wall_time, tagged_run_metadata=tagged))


def session_log_record(log: SessionLog, *, step: int, wall_time: float) -> bytes:
    return _frame(Event(step=step, wall_time=wall_time, session_log=log))


def _frame(event: Event) -> bytes:
    from seamark import _core

    return _core.frame(event.SerializeToString())
