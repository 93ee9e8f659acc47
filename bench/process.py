"""Starts a viewer as a process tree, reads its memory, and ends it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType

import psutil


class ServerProcess:
    """A command in its own process group; `started` is the clock just before it was launched."""

    def __init__(self, command: Sequence[str], *, log_path: Path) -> None:
        self._log = log_path.open("wb")
        self.started = time.perf_counter()
        self._popen = subprocess.Popen(
            command, stdout=self._log, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, start_new_session=True
        )

    def elapsed_secs(self) -> float:
        return time.perf_counter() - self.started

    def alive(self) -> bool:
        return self._popen.poll() is None

    def last_output(self) -> str:
        return "\n".join(Path(self._log.name).read_text(errors="replace").splitlines()[-20:])

    def peak_bytes(self) -> int:
        """The peak resident memory so far, summed over the process tree."""
        root = psutil.Process(self._popen.pid)
        return sum(_peak_resident_bytes(process.pid) for process in [root, *root.children(recursive=True)])

    def resident_bytes(self) -> int:
        """The resident memory now, summed over the process tree."""
        root = psutil.Process(self._popen.pid)
        return sum(process.memory_info().rss for process in [root, *root.children(recursive=True)])

    def processor_secs(self) -> float:
        """The processor time so far, summed over the process tree."""
        root = psutil.Process(self._popen.pid)
        used = [process.cpu_times() for process in [root, *root.children(recursive=True)]]
        return float(sum(times.user + times.system for times in used))

    def __enter__(self) -> ServerProcess:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._signal_group(signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            self._popen.wait(timeout=30)
        # TensorBoard's data server may end a moment later; the next start must not share the cores with it.
        self._signal_group(signal.SIGKILL)
        self._popen.wait()
        self._log.close()

    def _signal_group(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self._popen.pid, number)


def _peak_resident_bytes(pid: int) -> int:
    # Read once at the end: sampling a process of a gigabyte would slow it down.
    found = re.search(r"^VmHWM:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text(), re.MULTILINE)
    return int(found.group(1)) * 1024 if found else 0
