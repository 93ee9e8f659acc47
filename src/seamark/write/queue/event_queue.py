"""Events that wait to be written, in the order of the calls.

The core frames scalars and small events at once, into a buffer. A payload (an image, a histogram) holds a copy of its
data and is encoded by the thread that empties the queue; it stores how many bytes of the buffer precede it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import NamedTuple

from seamark import _core
from seamark.write.queue.warn_once import WarnOnce, describe_error

# A payload, or a buffer, of this size is written without delay.
FLUSH_BYTES = 1 << 20

EncodeEvent = Callable[[], bytes]


class Payload(NamedTuple):
    offset: int  # bytes of the buffer that precede it
    encode: EncodeEvent  # returns a serialized Event, or nothing; called by the thread
    nbytes: int


class EventQueue:
    """Adding takes no lock and does no I/O. When the queue is full, the newest events are dropped and counted."""

    def __init__(
        self, *, max_payloads: int, max_scalar_bytes: int, max_payload_bytes: int, warn_once: WarnOnce
    ) -> None:
        self._log = _core.EventLog(
            max_bytes=max_scalar_bytes, max_payload_bytes=max_payload_bytes, flush_bytes=FLUSH_BYTES
        )
        # Native functions: called once per point. They return one of _core.ADD_… or NOT_PLAIN.
        self.add_scalar = self._log.scalar
        self.add_event = self._log.event
        self._max_payloads = max(1, max_payloads)
        self._warn_once = warn_once
        self._encode_failures = 0
        self._payloads: deque[Payload] = deque()
        self._taken_bytes = 0

    def add_payload(self, encode: EncodeEvent, nbytes: int) -> int:
        """Returns one of _core.ADD_… . `encode` is called later, and must hold copies of the data it needs."""
        if not self._log.reserve(nbytes):
            return _core.ADD_DROPPED
        self._payloads.append(Payload(self._log.end, encode, nbytes))
        waiting = len(self._payloads)
        # Writing a large payload at once frees its memory for the next one.
        if nbytes >= FLUSH_BYTES or waiting >= self._max_payloads:
            return _core.ADD_SHOULD_FLUSH
        return _core.ADD_FIRST if waiting == 1 else _core.ADD_QUEUED

    @property
    def is_empty(self) -> bool:
        return not (self._log.pending or self._payloads)

    @property
    def dropped(self) -> int:
        """Events that did not fit, or could not be encoded."""
        return self._log.dropped + self._encode_failures

    def take_all(self) -> bytes:
        """Removes and returns everything as framed records. Encodes the payloads."""
        records = self._log.take()
        start, self._taken_bytes = self._taken_bytes, self._taken_bytes + len(records)
        parts, at = [], 0
        # A payload added meanwhile may belong behind records that were not taken: it stays for the next call.
        while self._payloads and self._payloads[0].offset <= self._taken_bytes:
            payload = self._payloads.popleft()
            end = max(at, payload.offset - start)
            parts += [records[at:end], self._encode(payload)]
            at = end
        parts.append(records[at:])
        return b"".join(parts)

    def _encode(self, payload: Payload) -> bytes:
        try:
            event = payload.encode()
            return _core.frame(event) if event else b""
        except Exception as error:  # one bad value must not stop the thread
            self._encode_failures += 1
            self._warn_once.warn("value", f"a value cannot be logged and is skipped ({describe_error(error)})")
            return b""
        finally:
            self._log.release(payload.nbytes)

    def discard_all(self) -> int:
        """Empties the queue. Returns the number of events that were in it."""
        records = self._log.take()
        self._taken_bytes += len(records)
        count = len(_core.record_ends(records))
        while self._payloads:
            self._log.release(self._payloads.popleft().nbytes)
            count += 1
        return count

    def clear_after_fork(self) -> None:
        """In a forked child: the parent writes the events that were waiting."""
        self._payloads = deque()
        self._taken_bytes = 0
        self._log.clear()
