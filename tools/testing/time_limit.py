"""Ends a hung test with its children: pytest-timeout knows the limit of each test, this ends its process.

An exception in the test would not do: Playwright's loop does not survive one. xdist starts another worker, which goes
on with the next test.
"""

from __future__ import annotations

import contextlib
import faulthandler
import hashlib
import os
import signal
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil
import pytest

if TYPE_CHECKING:
    from pytest_timeout import Settings

HUNG = Path("build", "test", "hung")
TIMER = pytest.StashKey[threading.Timer]()


def stacks_file(root: Path, test_id: str) -> Path:
    """Where the stacks of a hung test are written."""
    return root / HUNG / f"{hashlib.sha256(test_id.encode()).hexdigest()[:16]}.txt"


@pytest.hookimpl(tryfirst=True)
def pytest_timeout_set_timer(item: pytest.Item, settings: Settings) -> bool:
    timer = threading.Timer(settings.timeout, end_process, (item.config.rootpath, item.nodeid, settings.timeout))
    timer.daemon = True
    timer.start()
    item.stash[TIMER] = timer
    return True


@pytest.hookimpl(tryfirst=True)
def pytest_timeout_cancel_timer(item: pytest.Item) -> bool:
    # pytest-timeout also asks for files that could not be collected, which have no timer.
    timer = item.stash.get(TIMER, None)
    if timer is not None:
        timer.cancel()
    return True


def end_process(root: Path, test_id: str, limit_secs: float) -> None:
    # On a full disk the test is ended all the same.
    with contextlib.suppress(OSError):
        write_stacks(stacks_file(root, test_id), f"{test_id} did not end within {limit_secs:g} s")
    children = [child.pid for child in psutil.Process().children(recursive=True)]
    # This process ends before its children do: else the test would notice their end, and fail in another way.
    if os.fork() != 0:
        os._exit(1)
    for pid in children:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    os._exit(0)


def write_stacks(path: Path, headline: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as stacks:
        stacks.write(f"{headline}\n")
        stacks.flush()
        faulthandler.dump_traceback(stacks, all_threads=True)
    sys.stderr.write(f"\n{path.read_text()}")
    sys.stderr.flush()


def hung_message(root: Path, test_id: str) -> str | None:
    """Why the process of this test ended, if its time was up."""
    path = stacks_file(root, test_id)
    if not path.exists():
        return None
    message = path.read_text().partition("\n")[0].removeprefix(test_id).strip()
    return f"{message}; where each thread was: {path.relative_to(root)}"


def pytest_sessionstart(session: pytest.Session) -> None:
    # What an earlier run left; a second try of one test has no workers, and keeps the stacks of the first.
    if getattr(session.config.option, "numprocesses", None):
        for path in (session.config.rootpath / HUNG).glob("*.txt"):
            path.unlink(missing_ok=True)


@pytest.hookimpl(optionalhook=True)
def pytest_handlecrashitem(crashitem: str, report: pytest.TestReport, sched: Any) -> None:
    message = hung_message(sched.config.rootpath, crashitem)
    if message is not None:
        report.longrepr = message
