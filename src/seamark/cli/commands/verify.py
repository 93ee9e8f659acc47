"""Check every record of event files and report damaged ones."""

from __future__ import annotations

import argparse
import os
import stat
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from seamark import _core
from seamark.cli.arguments import log_directory
from seamark.cli.output.number_format import counted
from seamark.cli.output.text import printable
from seamark.store import is_not_event_file

READ_BYTES = 4 << 20
# The scanner holds 1,000 problems, and the smallest record has 16 bytes: after each slice of this size none
# is lost.
SLICE_BYTES = 1000 * 16
PENDING_ROWS = 1 << 16
# Longer records are checked in pieces.
MAX_HELD_BYTES = 64 << 20
# A writer that has not completed a record for this long has probably ended.
ABANDONED_SECS = 3600.0

_DAMAGE = {
    _core.PROBLEM_LENGTH_CRC: "length checksum mismatch",
    _core.PROBLEM_DATA_CRC: "data checksum mismatch",
    _core.PROBLEM_BAD_EVENT: "not an event message",
    _core.PROBLEM_TOO_LONG: "a record that is too long",
}


@dataclass(frozen=True)
class Finding:
    """A note about the record at `offset`; only damage changes the exit code."""

    offset: int
    text: str
    is_damage: bool


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths",
        nargs="+",
        type=log_directory.folder,
        metavar="FILE|DIR",
        help="event files, or folders searched for them",
    )


def run(args: argparse.Namespace) -> int:
    damaged_records = damaged_files = files = 0
    try:
        for path in event_files(args.paths):
            damage = _report(path)
            files += 1
            damaged_records += damage
            damaged_files += damage > 0
    except OSError as error:
        return log_directory.refuse("verify", error)
    if damaged_records:
        print(f"{counted(damaged_records, 'damaged record')} in {damaged_files:,} of {counted(files, 'file')}")
        return 1
    print(f"{counted(files, 'file')}, no damage")
    return 0


def event_files(paths: list[Path]) -> Iterator[Path]:
    """The given files, and every event file below the given folders. FileNotFoundError if there is none."""
    for path in paths:
        if not path.exists():
            raise FileNotFoundError(2, "no such file or folder", str(path))
        if path.is_dir():
            found = sorted(file for file in path.rglob("*tfevents*") if file.is_file())
            if not found:
                raise FileNotFoundError(2, "no event file (name with 'tfevents') in the folder", str(path))
            yield from found
        else:
            yield path


def findings(file: BinaryIO, size: int, *, idle_secs: float = 0.0) -> Iterator[Finding]:
    """Every record of a file of `size` bytes, last written `idle_secs` ago, that is not whole and right, in order."""
    if size == 0:
        yield Finding(0, "the file is empty; nothing was written to it", False)
    scanner = _core.Scanner(max_rows=PENDING_ROWS)
    block, block_start = memoryview(b""), 0
    done, wanted = 0, SLICE_BYTES
    while done < size:
        if min(done + wanted, size) > block_start + len(block):
            file.seek(done)
            block, block_start = memoryview(file.read(max(READ_BYTES, wanted))), done
            if len(block) < min(wanted, size - done):
                size = done + len(block)  # the file was truncated meanwhile
        scan = scanner.scan(block[done - block_start :][:wanted], done)
        done += scan.consumed
        yield from (_finding(problem, size) for problem in scanner.take_problems())
        if scan.status == _core.SCAN_CORRUPT:
            return
        if scan.status == _core.SCAN_INCOMPLETE and scan.needed_bytes > size - done:
            if done < size:
                yield _incomplete_tail(done, size, idle_secs)
            return
        if scan.status == _core.SCAN_INCOMPLETE and scan.needed_bytes > MAX_HELD_BYTES:
            done = _core.FileReader(READ_BYTES).read(file.fileno(), scanner, done, done + scan.needed_bytes, 1)[0]
            yield from (_finding(problem, size) for problem in scanner.take_problems())
        wanted = max(SLICE_BYTES, scan.needed_bytes)
        # Only the problems matter here; taking the points makes room for more.
        if scan.status == _core.SCAN_FULL:
            scanner.take_stripe()


def _finding(problem: tuple[int, int, int, int, int], size: int) -> Finding:
    code, offset, length, got, want = problem
    if code == _core.PROBLEM_BAD_VALUE:
        return Finding(
            offset, f"a scalar that cannot be read as a number in the record of {counted(length, 'byte')}", False
        )
    if is_not_event_file(code, offset):
        return Finding(0, "not an event file: it does not begin with a record, and nothing is read from it", True)
    text = _DAMAGE[code]
    if code in (_core.PROBLEM_LENGTH_CRC, _core.PROBLEM_DATA_CRC):
        text += f": got {got:#010x}, want {want:#010x}"
    if code == _core.PROBLEM_LENGTH_CRC:
        text += f"; the last {counted(size - offset, 'byte')} of the file cannot be read"
    else:
        text += f"; the record of {counted(length, 'byte')} is skipped"
    return Finding(offset, text, True)


def _incomplete_tail(offset: int, size: int, idle_secs: float) -> Finding:
    """Normal while a program is writing, so it is not damage."""
    text = f"the last record is incomplete ({counted(size - offset, 'byte')} so far)"
    if idle_secs > ABANDONED_SECS:
        written = time.strftime("%Y-%m-%d %H:%M", time.localtime(time.time() - idle_secs))
        return Finding(offset, f"{text}; last written {written}, so its writer was probably killed", False)
    return Finding(offset, f"{text}; it is probably still being written", False)


def _report(path: Path) -> int:
    """Prints the findings in one file. Returns the number of damaged records."""
    damaged = 0
    # Opening a pipe waits for its other end.
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise OSError(0, "not a regular file", str(path))
        for finding in findings(file, status.st_size, idle_secs=time.time() - status.st_mtime):
            damaged += finding.is_damage
            severity = "damage" if finding.is_damage else "note"
            print(printable(f"{severity} at byte {finding.offset}: {finding.text}: '{path}'"))
    return damaged
