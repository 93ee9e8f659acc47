"""Writes the outcomes of a pytest run to the file that `--outcomes` names, for what runs after it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
import pytest

# Tests that wait for a browser or for other processes; elsewhere functions are marked `timed`.
WAITING_FOLDERS = ("tests/e2e/", "tests/faults/", "tests/load/")


@dataclass(kw_only=True)
class Failure:
    test: str
    error: str
    may_try_again: bool


@dataclass(kw_only=True)
class Outcomes:
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    failures: list[Failure] = field(default_factory=list)


def read_outcomes(path: Path) -> Outcomes | None:
    """None if pytest ended before it could write them."""
    return msgspec.json.decode(path.read_bytes(), type=Outcomes) if path.exists() else None


def may_try_again(test: str, marks: object = ()) -> bool:
    file = test.partition("::")[0]
    is_marked = isinstance(marks, dict) and "timed" in marks
    return "::" in test and (file.startswith(WAITING_FOLDERS) or "notebook" in file or is_marked)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--outcomes", type=Path, metavar="FILE", help="write counts and failures to this file, as JSON")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "timed: waits for another process or thread; is tried again if it fails")
    path = config.getoption("--outcomes")
    if path is not None and not hasattr(config, "workerinput"):
        path.unlink(missing_ok=True)
        config.pluginmanager.register(Recorder(path), "outcomes recorder")


class Recorder:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.errors: dict[str, Failure] = {}
        self.outcomes: dict[str, str] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self._add(report, marks=report.keywords)
        elif report.skipped or report.when == "call":
            self.outcomes[report.nodeid] = report.outcome

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self._add(report, marks=())
        elif report.skipped:
            self.outcomes[report.nodeid] = report.outcome

    def _add(self, report: pytest.TestReport | pytest.CollectReport, *, marks: object) -> None:
        # A test whose teardown fails as well is one failed test.
        if report.nodeid not in self.errors:
            again = may_try_again(report.nodeid, marks)
            self.errors[report.nodeid] = Failure(
                test=report.nodeid, error=error_line(report.longrepr), may_try_again=again
            )

    def pytest_sessionfinish(self) -> None:
        counts = Counter(outcome for test, outcome in self.outcomes.items() if test not in self.errors)
        outcomes = Outcomes(
            passed=counts["passed"],
            failed=len(self.errors),
            skipped=counts["skipped"],
            failures=list(self.errors.values()),
        )
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_bytes(msgspec.json.encode(outcomes))


def error_line(longrepr: object) -> str:
    """The line that says what went wrong: the exception's first, or the last one of a text."""
    crash = getattr(longrepr, "reprcrash", None)
    if crash is not None:
        lines = str(crash.message).splitlines()
    else:
        texts = str(longrepr).splitlines()
        lines = [line.removeprefix("E").strip() for line in texts if line.startswith("E  ")][-1:] or texts[-1:]
    return next((line.strip() for line in lines if line.strip()), "no message")[:300]
