"""Show what differs between runs: configuration, command, code, packages, machine, and how their metrics compare."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from seamark.cli import log_directory, runs_of
from seamark.cli.amounts import counted
from seamark.cli.import_ import pattern
from seamark.cli.sheet import MAX_CELL, Sheet, SheetColumn, as_text, json_value, shown
from seamark.cli.terminal.text import fitted, printable, width_of
from seamark.read import UnknownRunError

if TYPE_CHECKING:
    from seamark.compare import Difference
    from seamark.compare.diff import Row
    from seamark.compare.metric_diff import MetricRow


# Why two curves cannot be compared is said whole.
MAX_NOTE = 100


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "run_words", nargs="+", metavar="RUN", help="names of two runs or more; the others are compared with the first"
    )
    runs_of.add_arguments(parser)
    parser.add_argument("--tags", type=pattern, metavar="REGEX", help="only metrics that match")
    parser.add_argument("--all", action="store_true", help="what is the same, too")
    parser.add_argument("--patch", action="store_true", help="print the changes of code that were not committed, too")
    parser.add_argument("--json", action="store_true", help="print JSON instead of text")


def run(args: argparse.Namespace) -> int:
    chosen = list(dict.fromkeys(args.run_words))
    try:
        if len(chosen) < 2:
            raise ValueError(f"a difference is between two runs or more, got {counted(len(chosen), 'run')}")
        with runs_of.opened(args) as runs:
            wanted = runs[chosen]
            tags = None if args.tags is None else [tag for tag in wanted.tags() if args.tags.search(tag)]
            found = wanted.diff(tags=tags)
    except (ValueError, OSError, UnknownRunError) as error:
        return log_directory.refuse("diff", error)
    if args.json:
        print(json.dumps(json_value(found.as_dict()), indent=1, default=str, allow_nan=False))
    else:
        print("\n".join(text_of(found, is_whole=args.all, with_patch=args.patch)))
    return 0


def text_of(found: Difference, *, is_whole: bool, with_patch: bool) -> Iterator[str]:
    sections = found.sections if is_whole else found.changed()
    for section in sections:
        yield section.name
        short = [row for row in section.rows if not is_long(row)]
        if short:
            columns = [SheetColumn("", "text", [row.key for row in short])]
            for at, run in enumerate(found.runs):
                columns.append(SheetColumn(run, "text", [row.values[at] for row in short]))
            yield from indented(columns)
        for row in filter(is_long, section.rows):
            yield from stacked(row, found.runs)
        yield ""
    if not sections:
        # Status, last step and duration are known of every run.
        is_known = any(section.name != "run" for section in found.sections)
        yield "nothing that is known of these runs differs" if is_known else NOTHING_KNOWN
        yield ""
    yield from metric_lines(found)
    if with_patch:
        yield from patches(found)
    for problem in found.problems:
        yield f"problem: {printable(problem)}"


def is_long(row: Row) -> bool:
    """Whether a table would cut one of its values, and so perhaps the part that differs."""
    return any(width_of(shown(value, "text")) > MAX_CELL for value in row.values)


def stacked(row: Row, runs: Sequence[str]) -> Iterator[str]:
    """The values whole, one below the other."""
    yield f"  {printable(row.key)}"
    widest = max(width_of(printable(run)) for run in runs)
    for run, value in zip(runs, row.values, strict=True):
        yield f"    {fitted(run, widest)}  {shown(value, 'text')}"


NOTHING_KNOWN = (
    "nothing is known of these runs but their metrics: they have no run.json, hyperparameters or config files"
)


def metric_lines(found: Difference) -> Iterator[str]:
    if not found.metrics:
        yield "no metrics to compare"
        return
    yield "metrics"
    columns = [SheetColumn("", "text", [row.tag for row in found.metrics])]
    for at, run in enumerate(found.runs):
        columns.append(SheetColumn(f"{run}, last", "number", [row.final[at] for row in found.metrics]))
        columns.append(SheetColumn("best", "number", [row.best[at] for row in found.metrics]))
        columns.append(SheetColumn("at step", "number", [row.best_step[at] for row in found.metrics]))
    columns.append(SheetColumn("they part", "text", [parting_of(row) for row in found.metrics]))
    yield from indented(columns, max_cell=MAX_NOTE)
    if found.tags_left_out:
        yield f"  {counted(found.tags_left_out, 'more metric')}: choose some with --tags"


def parting_of(row: MetricRow) -> str:
    if row.parting is None:
        return row.note or "nowhere"
    return f"at step {row.parting.step:,}" + (f" ({row.parting.run})" if len(row.partings) > 2 else "")


def patches(found: Difference) -> Iterator[str]:
    for run, patch in zip(found.runs, found.git_diffs, strict=True):
        yield ""
        yield f"changes not committed: {printable(run)}"
        yield from map(printable, patch.splitlines()) if patch else ["  none are kept"]


def indented(columns: Sequence[SheetColumn], *, max_cell: int = MAX_CELL) -> Iterator[str]:
    return (f"  {line}" for line in as_text(Sheet(list(columns)), max_cell=max_cell))
