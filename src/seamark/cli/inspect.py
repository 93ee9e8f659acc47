"""Show what is in a log directory: runs, tags, counts, steps, times, and what is wrong with it."""

from __future__ import annotations

import argparse
import json
import math
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from itertools import groupby
from pathlib import Path

from seamark.cli import log_directory
from seamark.cli.amounts import counted, size
from seamark.cli.arguments import add_logdir
from seamark.cli.terminal.text import printable
from seamark.store import LogRoot, Problem, RunInfo, SeriesInfo, Store

# Where there are no event files, so many folders are searched for what else there may be.
MAX_FOLDERS = 10_000
PROJECTOR_FILE = "projector_config.pbtxt"
TRACES = (".pt.trace.json", ".pt.trace.json.gz", ".xplane.pb")


@dataclass(frozen=True)
class Contents:
    """What a log directory holds, in the order it is shown."""

    runs: list[RunInfo]
    series: dict[str, list[SeriesInfo]]
    problems: list[Problem]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_logdir(parser)
    parser.add_argument(
        "--run", metavar="REGEX", type=_pattern, default=_pattern(""), help="only runs whose name matches"
    )
    parser.add_argument("--tag", metavar="REGEX", type=_pattern, default=_pattern(""), help="only tags that match")
    parser.add_argument("--json", action="store_true", help="print JSON instead of text")


def run(args: argparse.Namespace) -> int:
    try:
        roots = log_directory.existing_roots(args.logdir)
    except ValueError as error:
        return log_directory.refuse("inspect", error)
    contents = read(roots, run_pattern=args.run, tag_pattern=args.tag)
    if not contents.runs and not args.json:
        for note in other_data(roots):
            print(printable(note))
    print(json.dumps(as_json(contents), indent=2) if args.json else "\n".join(map(printable, as_text(contents))))
    return 0


def read(roots: Sequence[LogRoot], *, run_pattern: re.Pattern[str], tag_pattern: re.Pattern[str]) -> Contents:
    """Reads every event file below the roots, without touching any index."""
    store = Store(roots, index_dir=None, follow=False)
    store.start()
    try:
        store.wait_loaded()
        runs = [info for info in store.runs() if run_pattern.search(info.name)]
        series: dict[str, list[SeriesInfo]] = {info.name: [] for info in runs}
        for one in store.series():
            if one.run in series and tag_pattern.search(one.tag):
                series[one.run].append(one)
        for listed in series.values():
            listed.sort(key=lambda one: (one.kind, _natural(one.tag)))
        problems = [problem for problem in store.problems() if problem.run is None or problem.run in series]
        return Contents(runs, series, problems)
    finally:
        store.close()


def other_data(roots: Sequence[LogRoot]) -> Iterator[str]:
    """What a log directory without event files holds instead: a sentence for the first place of each sort."""
    for root in roots:
        seen: set[str] = set()
        for folders, (folder, _, names) in enumerate(os.walk(root.path)):
            if folders >= MAX_FOLDERS:
                break
            parts = Path(folder).parts
            is_profile = parts[-3:-1] == ("plugins", "profile") or any(name.endswith(TRACES) for name in names)
            for what, is_here in (("profiles", is_profile), ("embeddings", PROJECTOR_FILE in names)):
                if is_here and what not in seen:
                    seen.add(what)
                    yield f"no event files, but {what} in '{folder}'"


def as_json(contents: Contents) -> dict[str, object]:
    """The same for programs; numbers JSON cannot hold are strings, as TensorBoard spells them."""
    runs = [
        {**_plain(info), "series": [_plain(one) for one in contents.series[info.name]], "series_count": info.series}
        for info in contents.runs
    ]
    return {"runs": runs, "problems": [_plain(problem) for problem in contents.problems]}


def as_text(contents: Contents) -> Iterator[str]:
    """Lines for people: a summary, a block per run, the problems."""
    yield _summary(contents.runs)
    for info in contents.runs:
        yield ""
        times = _times(info.first_wall, info.last_wall)
        yield f"{info.name}  ({counted(info.files, 'file')}, {size(info.bytes)}, {times})"
        for kind, listed in groupby(contents.series[info.name], key=lambda one: one.kind):
            yield f"  {kind}"
            yield from _aligned([_series_cells(one) for one in listed])
    if contents.problems:
        yield ""
        yield counted(len(contents.problems), "problem")
        for problem in contents.problems:
            yield f"  {problem.severity}: {problem.message}"


def _summary(runs: Sequence[RunInfo]) -> str:
    if not runs:
        return "no runs"
    files, total_bytes = sum(info.files for info in runs), sum(info.bytes for info in runs)
    points, payloads = sum(info.points for info in runs), sum(info.payloads for info in runs)
    parts = [counted(len(runs), "run"), counted(files, "file"), size(total_bytes), counted(points, "scalar point")]
    return ", ".join([*parts, counted(payloads, "payload")])


def _series_cells(one: SeriesInfo) -> list[str]:
    first, last = f"{one.first_step:,}", f"{one.last_step:,}"
    steps = f"steps {first} … {last}" if first != last else f"step {first}"
    cells = [one.tag or "(no tag)", f"{one.count:,}", steps]
    remarks = []
    if one.last_value is not None:
        remarks.append(f"last {one.last_value:.6g}")
    if one.attempts > 1:
        remarks.append(counted(one.attempts, "attempt"))
    odd = {"NaN": one.nan, "+inf": one.posinf, "-inf": one.neginf}
    remarks += [f"{count:,} {name}" for name, count in odd.items() if count]
    return [*cells, ", ".join(remarks)]


def _aligned(rows: list[list[str]]) -> Iterator[str]:
    """Columns as wide as their widest cell; counts (the second column) stand right-aligned."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [
            cell.rjust(width) if at == 1 else cell.ljust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield ("    " + "  ".join(cells)).rstrip()


def _times(first: float | None, last: float | None) -> str:
    if first is None or last is None:
        return "nothing logged"
    return f"{_time(first)} … {_time(last)}"


def _time(wall: float) -> str:
    try:
        return datetime.fromtimestamp(wall).isoformat(sep=" ", timespec="seconds")
    except (ValueError, OverflowError, OSError):
        # A damaged or made-up wall time is still worth showing.
        return f"{wall:g} s"


def _plain(record: RunInfo | SeriesInfo | Problem) -> dict[str, object]:
    return {name: _json_value(value) for name, value in asdict(record).items() if name != "metadata"}


def _json_value(value: object) -> object:
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return value


def _natural(tag: str) -> list[tuple[str, int, str]]:
    """Sorts layer_2 before layer_10: of two numbers, the one with fewer digits is smaller."""
    return [(words, len(digits), digits) for words, digits in re.findall(r"(\D*)(\d*)", tag)]


def _pattern(text: str) -> re.Pattern[str]:
    try:
        return re.compile(text)
    except re.error as error:
        raise argparse.ArgumentTypeError(f"not a regular expression ({error}): '{text}'") from error
