"""ChromeEvents: writes the events of other formats as Chrome's JSON, which the native reader reads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

# The name and category that torch gives to allocations, and the names of their arguments.
MEMORY_NAME, MEMORY_CATEGORY = "[memory]", "cpu_instant_event"
DEVICE_TYPE_CPU, DEVICE_TYPE_GPU = 0, 1


class ChromeEvents:
    """Times are nanoseconds since `base_ns`."""

    def __init__(self, base_ns: int = 0) -> None:
        self._base_ns = base_ns
        self._events: list[dict[str, Any]] = []
        self._metadata: dict[str, Any] = {}

    def __len__(self) -> int:
        return len(self._events)

    def name_process(self, pid: int | str, name: str) -> None:
        self._events.append({"ph": "M", "name": "process_name", "pid": pid, "tid": 0, "args": {"name": name}})

    def name_thread(self, pid: int | str, tid: int | str, name: str) -> None:
        self._events.append({"ph": "M", "name": "thread_name", "pid": pid, "tid": tid, "args": {"name": name}})

    def slice(
        self,
        pid: int | str,
        tid: int | str,
        name: str,
        category: str,
        *,
        start_ns: int,
        duration_ns: int,
        arguments: dict[str, Any],
    ) -> None:
        event: dict[str, Any] = {"ph": "X", "cat": category, "name": name, "pid": pid, "tid": tid}
        event |= {"ts": self._us(start_ns), "dur": max(0, duration_ns) / 1000}
        if arguments:
            event["args"] = arguments
        self._events.append(event)

    def counter(self, pid: int | str, name: str, time_ns: int, values: Mapping[str, float]) -> None:
        self._events.append(
            {"ph": "C", "name": name, "pid": pid, "tid": 0, "ts": self._us(time_ns), "args": dict(values)}
        )

    def memory(self, pid: int | str, tid: int | str, time_ns: int, arguments: dict[str, Any]) -> None:
        """An allocation or, with negative bytes, its end."""
        event = {"ph": "i", "s": "t", "cat": MEMORY_CATEGORY, "name": MEMORY_NAME, "pid": pid, "tid": tid}
        self._events.append({**event, "ts": self._us(time_ns), "args": arguments})

    def add_metadata(self, key: str, value: Any) -> None:
        self._metadata[key] = value

    def encode(self) -> bytes:
        document = {"displayTimeUnit": "ns", **self._metadata}
        if self._base_ns:
            document["baseTimeNanoseconds"] = self._base_ns
        return msgspec.json.encode({**document, "traceEvents": self._events})

    def _us(self, time_ns: int) -> float:
        return (time_ns - self._base_ns) / 1000
