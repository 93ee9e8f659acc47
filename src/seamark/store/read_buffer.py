"""Memory to read event files into, used over and over: fresh pages would cost as much as scanning what is in them."""

from __future__ import annotations

from collections.abc import Callable
from io import FileIO

READ_BYTES = 1 << 20
AHEAD_BYTES = 2 << 20
# Room before a block for the record that the block before it ended in the middle of.
HEADROOM_BYTES = 1 << 16


class ReadBuffer:
    """One worker's memory."""

    def __init__(self, size: int = READ_BYTES, *, ahead_size: int = AHEAD_BYTES) -> None:
        self._memory = memoryview(bytearray(size))
        self._ahead_size = ahead_size
        self._ahead: ReadAhead | None = None

    @property
    def worth_reading_ahead(self) -> int:
        """From this many bytes on, a second thread is worth its while."""
        return 4 * self._ahead_size

    def ahead(self) -> ReadAhead:
        if self._ahead is None:
            self._ahead = ReadAhead(self._ahead_size)
        return self._ahead

    def read(self, stream: FileIO, offset: int, length: int) -> memoryview:
        """Up to `length` bytes, no more than fit. What an earlier call returned is overwritten."""
        stream.seek(offset)
        count = stream.readinto(self._memory[: min(length, len(self._memory))]) or 0
        return self._memory[:count]

    def read_record(self, stream: FileIO, offset: int, length: int) -> memoryview:
        """Exactly one big record, into memory of its own that goes with it."""
        if length <= len(self._memory):
            return self.read(stream, offset, length)
        memory = memoryview(bytearray(length))
        stream.seek(offset)
        filled = 0
        while filled < length and (count := stream.readinto(memory[filled:])):
            filled += count
        return memory[:filled]

    def close(self) -> None:
        if self._ahead is not None:
            self._ahead.close()


class ReadAhead:
    """Two blocks: one is read on a thread of its own while the other is scanned."""

    def __init__(self, size: int) -> None:
        self._memories = [memoryview(bytearray(HEADROOM_BYTES + size)) for _ in range(2)]
        from concurrent.futures import ThreadPoolExecutor  # a sweep of small files does without

        self._pool = ThreadPoolExecutor(1, thread_name_prefix="seamark-read-ahead")

    def feed(self, stream: FileIO, start: int, stop: int, consume: Callable[[memoryview, int], int | None]) -> None:
        """Hands over [start, stop) in order. `consume(data, offset)` says how much of it was used, None to end.

        What is left comes again at the front of the next block; a block of which too much is left is the last one.
        """
        from concurrent.futures import wait

        turn = 0
        end = start
        left = memoryview(b"")
        filling = self._pool.submit(self._fill, stream, turn, end, stop)
        try:
            while count := filling.result():
                memory = self._memories[turn]
                data = memory[HEADROOM_BYTES - len(left) : HEADROOM_BYTES + count]
                data[: len(left)] = left
                offset = end - len(left)
                end += count
                turn = 1 - turn
                filling = self._pool.submit(self._fill, stream, turn, end, stop)
                used = consume(data, offset)
                if used is None or len(data) - used > HEADROOM_BYTES:
                    return
                left = data[used:]
        finally:
            wait([filling])  # the caller closes the stream

    def close(self) -> None:
        self._pool.shutdown()

    def _fill(self, stream: FileIO, turn: int, start: int, stop: int) -> int:
        stream.seek(start)
        memory = self._memories[turn][HEADROOM_BYTES:]
        return stream.readinto(memory[: max(0, stop - start)]) or 0
