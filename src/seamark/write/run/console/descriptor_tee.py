"""Captures file descriptors 1 and 2, including the output of C libraries and child processes."""

from __future__ import annotations

import codecs
import os
import sys
import threading
from contextlib import suppress

from seamark.write.run.console.console_log import ConsoleLog

CHUNK_BYTES = 65536


class DescriptorTee:
    """Replaces a descriptor with a pipe. A thread forwards the data and copies it to the log."""

    def __init__(self, descriptor: int, name: str, log: ConsoleLog) -> None:
        self._descriptor, self._name, self._log = descriptor, name, log
        _flush_python_streams()
        self._original = os.dup(descriptor)
        self._read_end, write_end = os.pipe()
        os.dup2(write_end, descriptor)
        os.close(write_end)
        self._thread = threading.Thread(target=self._forward, name=f"seamark-{name}", daemon=True)
        self._thread.start()

    def _forward(self) -> None:
        decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        # Ends when the last writer has closed its end; child processes that live on keep it open.
        while data := os.read(self._read_end, CHUNK_BYTES):
            with suppress(OSError):  # if the terminal is closed, the pipe must not fill up and block the program
                _write_all(self._original, data)
            self._log.add(self._name, decoder.decode(data))

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
