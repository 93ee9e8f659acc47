"""Builds the Event messages of event files. Every writer serializes its events here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from seamark.format.messages import Event, SessionLog, Summary, TaggedRunMetadata

Values: TypeAlias = Summary.Value | Sequence[Summary.Value]

FILE_VERSION = "brain.Event:2"


def summary_event(values: Values, *, step: int, wall_time: float) -> bytes:
    """A serialized Event with one or several values."""
    listed = [values] if isinstance(values, Summary.Value) else values
    return Event(step=step, wall_time=wall_time, summary=Summary(value=listed)).SerializeToString()


def graph_event(graph_def: bytes, *, wall_time: float, step: int = 0) -> bytes:
    """A serialized Event with a serialized GraphDef."""
    return Event(step=step, wall_time=wall_time, graph_def=graph_def).SerializeToString()


def run_metadata_event(tag: str, run_metadata: bytes, *, wall_time: float, step: int = 0) -> bytes:
    """A serialized Event with a serialized RunMetadata: the cost of one profiled step."""
    tagged = TaggedRunMetadata(tag=tag, run_metadata=run_metadata)
    return Event(step=step, wall_time=wall_time, tagged_run_metadata=tagged).SerializeToString()


def session_log_event(log: SessionLog, *, step: int, wall_time: float) -> bytes:
    return Event(step=step, wall_time=wall_time, session_log=log).SerializeToString()


def restart_events(*, step: int, wall_time: float) -> list[bytes]:
    """Two serialized Events that tell readers to ignore points of earlier processes from `step` on."""
    version = Event(step=step, wall_time=wall_time, file_version=FILE_VERSION).SerializeToString()
    return [version, session_log_event(SessionLog(status=SessionLog.START), step=step, wall_time=wall_time)]
