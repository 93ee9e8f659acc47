"""The bindings used by several threads at once."""

import contextlib
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from seamark import _core
from seamark.test_core_support import ask, view_of

TIMEOUT_SECS = 60.0


def raises_while(call: Callable[[], object], busy: Callable[[], object]) -> bool:
    """Whether `call` raises RuntimeError at some time while another thread runs `busy` again and again."""
    has_raised = threading.Event()
    deadline = time.monotonic() + TIMEOUT_SECS

    def run_often() -> None:
        while not has_raised.is_set() and time.monotonic() < deadline:
            with contextlib.suppress(RuntimeError):
                busy()

    thread = threading.Thread(target=run_often)
    thread.start()
    while thread.is_alive() and not has_raised.is_set():
        try:
            call()
        except RuntimeError as error:
            assert "in use by another thread" in str(error)
            has_raised.set()
    thread.join()
    return has_raised.is_set()


def some_points(count: int) -> bytes:
    steps = np.arange(count)
    return _core.encode_scalars([b"x"], np.zeros(count, np.uint32), steps, steps * 1.0, steps * 1.0)


@pytest.mark.parametrize(
    "name", ["events", "first_wall", "series_count", "problem_count", "file_version", "series", "session_starts"]
)
@pytest.mark.timed
def test_a_scanner_cannot_be_read_while_another_thread_scans(name: str) -> None:
    data = some_points(200_000)
    scanner = _core.Scanner(max_rows=1 << 30)

    def read() -> object:
        value = getattr(scanner, name)
        return value() if callable(value) else value

    scanner.scan(data, 0)
    read()
    assert raises_while(read, lambda: scanner.scan(data, 0))


@pytest.mark.timed
def test_a_file_reader_is_for_one_thread_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "events"
    path.write_bytes(some_points(200_000))
    size = path.stat().st_size
    reader = _core.FileReader(1 << 16)
    with path.open("rb") as file:

        def read(end: int) -> object:
            return reader.read(file.fileno(), _core.Scanner(), 0, end, size)

        assert raises_while(lambda: read(0), lambda: read(size))


def test_many_threads_may_ask_one_series() -> None:
    series = view_of(list(range(20000)))
    want = ask([series], max_points=100)["mean"].tolist()
    failures: list[int] = []

    def work() -> None:
        failures.extend(n for n in range(20) if ask([series], max_points=100)["mean"].tolist() != want)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
