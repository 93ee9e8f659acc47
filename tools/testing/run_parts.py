"""Runs the parts of `make test` and prints the results: each part with its seconds, what failed, and what to do.

python -m tools.testing.run_parts [--begun SECONDS]

Each part is a target of the Makefile, which also runs alone. The first parts run two at a time; the Python and browser
tests need the page that one of them builds, and run after them, alone.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from tools.testing.part_times import compare_times
from tools.testing.run_python import FOLDER, ROOT, SUMMARY, read_summary, result_lines

# The longest first, so that two of them end at about the same time.
FIRST = ("test-core", "lint", "test-web", "web")
LAST = "test-python"
PARALLEL = 2
# Lines of a part's output that say what was done or what is wrong.
COUNTS = re.compile(
    r"^(All checks passed|\d+ files? (already|would be)|Success: no issues|svelte-check found|Found \d+ error"
    r"|\d+ passed, \d+ failed|core.*(passed|failed)|\s*(Test Files|Tests)\s+.*(passed|failed))"
)
ERRORS = re.compile(
    r"error[:\]]|\berror TS|^\s*\d+:\d+\s+error |^\s*FAIL |FAILED|^Would reformat|\[warn\]|: warning:|^\S+:\d+:\d+: "
)
# In the words of Python and of mypy.
MISSING = re.compile(r"""\bmodule named ['"]([\w.]+)['"]""")
COLOURS = re.compile(r"\x1b\[[0-9;]*m")
ERROR_LINES = 12


@dataclass(frozen=True, kw_only=True)
class Part:
    name: str
    status: int
    secs: float
    cpu_secs: float

    @property
    def log(self) -> Path:
        return log_of(self.name)


def log_of(name: str) -> Path:
    return FOLDER / f"{name}.log"


def run_part(name: str, *, printing: threading.Lock | None = None) -> Part:
    """Runs a target of the Makefile. With a lock its output is printed in one piece when it ends, else as it comes."""
    begun = time.monotonic()
    with log_of(name).open("wb") as log:
        process = subprocess.Popen(
            ["make", "--no-print-directory", name], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        assert process.stdout is not None
        for line in process.stdout:
            log.write(line)
            if printing is None:
                write(line)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    part = Part(
        name=name,
        status=process.returncode,
        secs=time.monotonic() - begun,
        cpu_secs=usage.ru_utime + usage.ru_stime,
    )
    if printing is not None:
        with printing:
            write(f"== {name}\n".encode() + part.log.read_bytes())
    write(f"== {name}: {part.secs:.0f} s\n".encode())
    return part


def write(output: bytes) -> None:
    sys.stdout.buffer.write(output)
    sys.stdout.buffer.flush()


def run_parts() -> list[Part]:
    printing = threading.Lock()
    with ThreadPoolExecutor(PARALLEL) as pool:
        parts = list(pool.map(lambda name: run_part(name, printing=printing), FIRST))
    if all(part.status == 0 for part in parts):
        write(f"== {LAST}\n".encode())
        parts.append(run_part(LAST))
    return parts


def results(parts: Sequence[Part], *, setup_secs: float) -> Iterator[str]:
    """The lines at the end of the output: first the counts, then what is wrong, then what to do."""
    yield "== results"
    for part in parts:
        yield from (line.strip() for line in plain_lines(part.log) if COUNTS.match(line))
    yield f"== set-up: {setup_secs:.0f} s"
    for part in parts:
        yield f"== {part.name}: {part.secs:.0f} s, {part.cpu_secs:.0f} s of processor time"
    for part in parts:
        if part.status != 0 and part.name != LAST:
            lines = plain_lines(part.log)
            errors = [line for line in lines if ERRORS.search(line)] or lines[-ERROR_LINES:]
            yield from (f"   {line.strip()[:200]}" for line in errors[:ERROR_LINES])
            yield f"== FAILED: {part.name}, output in {part.log.relative_to(ROOT)}; run `make {part.name}` again"
            yield from missing_packages(errors)
    if len(parts) == len(FIRST):
        yield f"== not run: {LAST}, because a part before it failed"
        return
    yield from python_results(parts[-1])
    if parts[-1].status == 0:
        yield from compare_times({part.name: part.cpu_secs for part in parts})


def python_results(part: Part) -> Iterator[str]:
    summary = read_summary()
    if summary is None:
        yield f"== FAILED: {LAST} ended early, status {part.status}; output in {part.log.relative_to(ROOT)}"
        return
    yield from result_lines(summary)
    yield from missing_packages(failure.error for failure in summary.failed)
    if summary.failed:
        yield "== run one alone: `.venv/bin/pytest 'TEST'`; traces of the browser are in build/test/traces"
    if summary.flaky:
        yield "== a flaky test passed when it ran again, alone; it waits for a time or reads once: mend it"


def missing_packages(errors: Iterable[str]) -> Iterator[str]:
    missing = sorted({name for error in errors for name in MISSING.findall(error)})
    if missing:
        yield f"== missing packages: {', '.join(missing)}; `rm .venv/*.stamp`, then `make test` installs them"


def plain_lines(log: Path) -> list[str]:
    return COLOURS.sub("", log.read_text(errors="replace")).splitlines()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--begun", type=float, default=time.time(), help="when make began, in seconds since 1970")
    begun = parser.parse_args().begun
    setup_secs = time.time() - begun
    FOLDER.mkdir(parents=True, exist_ok=True)
    SUMMARY.unlink(missing_ok=True)
    parts = run_parts()
    lines = list(results(parts, setup_secs=setup_secs))
    passed = all(part.status == 0 for part in parts) and not any(line.startswith("== FAILED") for line in lines)
    lines.append(f"== {'passed' if passed else 'FAILED'} after {time.time() - begun:.0f} s")
    write(("\n" + "\n".join(lines) + "\n").encode())
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
