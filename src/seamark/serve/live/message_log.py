"""A bounded log of messages, from which clients that reconnect get the messages they missed."""

from __future__ import annotations

from collections import deque

MAX_MESSAGES = 2000
MAX_BYTES = 16 << 20


class MessageLog:
    """The newest messages, numbered from 1."""

    def __init__(self) -> None:
        self._messages: deque[bytes] = deque()
        self._bytes = 0
        self.newest = 0

    @property
    def oldest(self) -> int:
        return self.newest - len(self._messages) + 1

    def append(self, body: bytes) -> None:
        self._messages.append(body)
        self._bytes += len(body)
        self.newest += 1
        while len(self._messages) > MAX_MESSAGES or (self._bytes > MAX_BYTES and len(self._messages) > 1):
            self._bytes -= len(self._messages.popleft())

    def after(self, number: int) -> list[bytes] | None:
        """The messages after `number`; None if some of them are no longer in the log."""
        if number < self.oldest - 1:
            return None
        count = self.newest - number
        return [self._messages[index] for index in range(len(self._messages) - count, len(self._messages))]
