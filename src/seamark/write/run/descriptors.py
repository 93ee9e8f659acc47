"""Console capture below Python: what C libraries and child processes write to descriptors 1 and 2 is heard as well."""

from __future__ import annotations

import codecs
import os
import sys
import threading
from contextlib import suppress

from seamark.write.run.console import ConsoleLog

CHUNK_BYTES = 65536


class DescriptorTee:
    """Puts a pipe in a descriptor's place; a thread hands on what comes through, and tells the log."""

    def __init__(self, descriptor: int, name: str, log: ConsoleLog) -> None:
        self._descriptor, self._name, self._log = descriptor, name, log
        _flush_python_streams()
        self._original = os.dup(descriptor)
        self._read_end, write_end = os.pipe()
        os.dup2(write_end, descriptor)
        os.close(write_end)
        self._thread = threading.Thread(target=self._hand_on, name=f"seamark-{name}", daemon=True)
        self._thread.start()

    def _hand_on(self) -> None:
        decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        # Ends when the last writer has closed its end: children that live on keep it open.
        while data := os.read(self._read_end, CHUNK_BYTES):
            with suppress(OSError):  # a closed terminal must not fill the pipe and stop the program
                _write_all(self._original, data)
            self._log.take(self._name, decoder.decode(data))

    def remove(self, *, timeout_secs: float = 2.0) -> None:
        _flush_python_streams()
        os.dup2(self._original, self._descriptor)
        self._thread.join(timeout_secs)
        if not self._thread.is_alive():
            os.close(self._read_end)
            os.close(self._original)


def _write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def _flush_python_streams() -> None:
    for stream in (sys.stdout, sys.stderr):
        with suppress(Exception):
            stream.flush()
