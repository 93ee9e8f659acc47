"""Show what is in a log directory: runs, tags, counts, steps, times and problems."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from pathlib import Path

from msgspec.structs import asdict

from seamark.cli.arguments import log_directory
from seamark.cli.arguments.parser import add_logdir
from seamark.cli.arguments.patterns import pattern
from seamark.cli.arguments.run_source import RunSource, source_named
from seamark.cli.output.number_format import counted, size
from seamark.cli.output.text import printable
from seamark.cli.output.text_table import OutputColumn, text_lines
from seamark.format.name_order import name_key
from seamark.format.numbers import json_safe
from seamark.format.patterns import Pattern
from seamark.store import LogRoot, Problem, RunInfo, SeriesInfo

# This many folders are searched for other data than event files.
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
        "--run", metavar="REGEX", type=pattern, default=pattern(""), help="only runs whose name matches"
    )
    parser.add_argument("--tag", metavar="REGEX", type=pattern, default=pattern(""), help="only tags that match")
    parser.add_argument("--json", action="store_true", help="print JSON instead of text")


def run(args: argparse.Namespace) -> int:
    try:
        source = source_named(args.logdir)
    except ValueError as error:
        return log_directory.refuse("inspect", error)
    contents = read(source, run_pattern=args.run, tag_pattern=args.tag)
    if args.json:
        print(json.dumps(as_json(contents), indent=2))
        return 0
    others = [f"{'' if contents.runs else 'no event files, but '}{note}" for note in other_data(source.roots)]
    lines = [*as_text(contents), *("", *others)] if contents.runs and others else [*others, *as_text(contents)]
    print("\n".join(map(printable, lines)))
    return 0


def read(source: RunSource, *, run_pattern: Pattern, tag_pattern: Pattern) -> Contents:
    """Of log directories every event file, without an index."""
    store = source.open_store()
    store.start()
    try:
        store.wait_loaded()
        runs = [info for info in store.runs() if run_pattern.is_found(info.name)]
        series: dict[str, list[SeriesInfo]] = {info.name: [] for info in runs}
        for one in store.series():
            if one.run in series and tag_pattern.is_found(one.tag):
                series[one.run].append(one)
        for listed in series.values():
            listed.sort(key=lambda one: (one.kind, name_key(one.tag)))
        problems = [problem for problem in store.problems() if problem.run is None or problem.run in series]
        return Contents(runs, series, problems)
    finally:
        store.close()


def other_data(roots: Sequence[LogRoot]) -> Iterator[str]:
    """Profiles and embeddings, which are not in event files: where the first of each is, and the tab that shows it."""
    for root in roots:
        seen: set[str] = set()
        for folders, (folder, _, names) in enumerate(os.walk(root.path)):
            if folders >= MAX_FOLDERS:
                break
            parts = Path(folder).parts
            is_profile = parts[-3:-1] == ("plugins", "profile") or any(name.endswith(TRACES) for name in names)
            has_embeddings = PROJECTOR_FILE in names
            for what, tab, is_here in (
                ("profiles", "Profile", is_profile),
                ("embeddings", "Projector", has_embeddings),
            ):
                if is_here and what not in seen:
                    seen.add(what)
                    yield f"{what} in '{folder}'; the page shows them on the tab {tab}"


def as_json(contents: Contents) -> dict[str, object]:
    """For programs. NaN and infinities are strings, spelled as TensorBoard does."""
    runs = [
        {**_plain(info), "series": [_plain(one) for one in contents.series[info.name]], "series_count": info.series}
        for info in contents.runs
    ]
    return {"runs": runs, "problems": [_plain(problem) for problem in contents.problems]}


def as_text(contents: Contents) -> Iterator[str]:
    """A summary, a block for each run, and the problems."""
    yield _summary(contents.runs)
    for info in contents.runs:
        yield ""
        times = _times(info.first_wall, info.last_wall)
        yield f"{info.name}  ({counted(info.files, 'file')}, {size(info.bytes)}, {times})"
        for kind, listed in groupby(contents.series[info.name], key=lambda one: one.kind):
            yield f"  {kind}"
            yield from _table([_series_cells(one) for one in listed])
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


def _table(rows: list[list[str]]) -> Iterator[str]:
    types = ("text", "number", "text", "text")
    columns = [OutputColumn("", *column) for column in zip(types, zip(*rows, strict=True), strict=True)]
    return text_lines(columns, is_terminal=False, has_header=False, indent=4)


def _times(first: float | None, last: float | None) -> str:
    if first is None or last is None:
        return "nothing logged"
    return f"{_time(first)} … {_time(last)}"


def _time(wall: float) -> str:
    try:
        return datetime.fromtimestamp(wall).isoformat(sep=" ", timespec="seconds")
    except (ValueError, OverflowError, OSError):
        # Not a valid time; shown as it is.
        return f"{wall:g} s"


def _plain(record: RunInfo | SeriesInfo | Problem) -> dict[str, object]:
    return {name: json_safe(value) for name, value in asdict(record).items() if name != "metadata"}
