"""Check every record of event files and name the damaged ones."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from seamark import _core
from seamark.cli.amounts import counted

READ_BYTES = 4 << 20
# The scanner remembers 1,000 problems between two questions, and the smallest record has 16 bytes:
# asked after each slice of this size it cannot lose one.
SLICE_BYTES = 1000 * 16
PENDING_ROWS = 1 << 16

_DAMAGE = {
    _core.PROBLEM_LENGTH_CRC: "length checksum mismatch",
    _core.PROBLEM_DATA_CRC: "data checksum mismatch",
    _core.PROBLEM_BAD_EVENT: "not an event message",
}


@dataclass(frozen=True)
class Finding:
    """Something to say about the record at `offset`; only damage changes the exit code."""

    offset: int
    text: str
    is_damage: bool


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths", nargs="+", type=Path, metavar="FILE|DIR", help="event files, or folders searched for them"
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
        print(f"seamark verify: {error.strerror or error}: '{error.filename}'", file=sys.stderr)
        return 2
    if damaged_records:
        print(f"{counted(damaged_records, 'damaged record')} in {damaged_files:,} of {counted(files, 'file')}")
        return 1
    print(f"{counted(files, 'file')}, no damage")
    return 0


def event_files(paths: list[Path]) -> Iterator[Path]:
    """The files named, and every event file below the folders named; an error when a name leads to none."""
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


def findings(file: BinaryIO, size: int) -> Iterator[Finding]:
    """Every record of a file of `size` bytes that is not whole and right, in order."""
    scanner = _core.Scanner(max_rows=PENDING_ROWS)
    block, block_start = memoryview(b""), 0
    done, wanted = 0, SLICE_BYTES
    while done < size:
        if min(done + wanted, size) > block_start + len(block):
            file.seek(done)
            block, block_start = memoryview(file.read(max(READ_BYTES, wanted))), done
            if len(block) < min(wanted, size - done):
                size = done + len(block)  # somebody cut the file meanwhile
        done += scanner.scan(block[done - block_start :][:wanted], done)
        yield from (_finding(problem, size) for problem in scanner.take_problems())
        if scanner.status == _core.SCAN_CORRUPT:
            return
        if scanner.status == _core.SCAN_NEED_MORE and scanner.needed > size - done:
            if done < size:
                yield _incomplete_tail(done, size)
            return
        wanted = max(SLICE_BYTES, scanner.needed) if scanner.status == _core.SCAN_NEED_MORE else SLICE_BYTES
        # Only the problems are of interest here; the points make room for the next ones.
        if scanner.status == _core.SCAN_FULL:
            scanner.take_stripe()


def _finding(problem: tuple[int, int, int, int, int], size: int) -> Finding:
    code, offset, length, got, want = problem
    if code == _core.PROBLEM_BAD_VALUE:
        return Finding(
            offset, f"a scalar that cannot be read as a number in the record of {counted(length, 'byte')}", False
        )
    text = _DAMAGE[code]
    if code != _core.PROBLEM_BAD_EVENT:
        text += f": got {got:#010x}, want {want:#010x}"
    if code == _core.PROBLEM_LENGTH_CRC:
        text += f"; the last {counted(size - offset, 'byte')} of the file cannot be read"
    else:
        text += f"; the record of {counted(length, 'byte')} is skipped"
    return Finding(offset, text, True)


def _incomplete_tail(offset: int, size: int) -> Finding:
    """Normal while a program is still writing, so it is no damage."""
    return Finding(
        offset, f"the last record is incomplete ({counted(size - offset, 'byte')} so far); still being written?", False
    )


def _report(path: Path) -> int:
    """Prints what is wrong in one file and counts its damaged records."""
    damaged = 0
    with path.open("rb") as file:
        for finding in findings(file, path.stat().st_size):
            damaged += finding.is_damage
            severity = "damage" if finding.is_damage else "note"
            print(f"{severity} at byte {finding.offset}: {finding.text}: '{path}'")
    return damaged
