"""Show what differs between runs: configuration, command, code, packages, machine, and how their metrics compare."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from seamark.cli.arguments import log_directory, open_runs
from seamark.cli.arguments.patterns import pattern
from seamark.cli.output.divergence_text import divergence_text
from seamark.cli.output.number_format import counted
from seamark.cli.output.text import fitted, printable, width_of
from seamark.cli.output.text_table import OutputColumn, shown, text_lines
from seamark.format.numbers import json_safe
from seamark.read import UnknownRunError

if TYPE_CHECKING:
    from seamark.compare import Difference
    from seamark.compare.diff.sections import Row


# Longer values are printed one below the other.
MAX_TABLE_VALUE = 48


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "run_words", nargs="+", metavar="RUN", help="names of two or more runs; the others are compared with the first"
    )
    open_runs.add_arguments(parser)
    parser.add_argument("--tags", type=pattern, metavar="REGEX", help="only metrics that match")
    parser.add_argument("--all", action="store_true", help="also print what is the same")
    parser.add_argument("--patch", action="store_true", help="also print uncommitted changes of the code")
    parser.add_argument("--json", action="store_true", help="print JSON instead of text")


def run(args: argparse.Namespace) -> int:
    chosen = list(dict.fromkeys(args.run_words))
    try:
        if len(chosen) < 2:
            raise ValueError(f"want two or more runs to compare, got {counted(len(chosen), 'run')}")
        with open_runs.opened(args) as runs:
            wanted = runs[chosen]
            tags = None if args.tags is None else [tag for tag in wanted.tags() if args.tags.is_found(tag)]
            found = wanted.diff(tags=tags)
    except (ValueError, OSError, UnknownRunError) as error:
        return log_directory.refuse("diff", error)
    if args.json:
        print(json.dumps(json_safe(found.as_dict()), indent=1, default=str, allow_nan=False))
    else:
        print("\n".join(text_of(found, is_whole=args.all, with_patch=args.patch)))
    return 0


def text_of(found: Difference, *, is_whole: bool, with_patch: bool) -> Iterator[str]:
    sections = found.sections if is_whole else found.changed()
    for section in sections:
        yield section.name
        short = [row for row in section.rows if not is_long(row)]
        if short:
            columns = [OutputColumn("", "text", [row.key for row in short])]
            for at, run in enumerate(found.runs):
                columns.append(OutputColumn(run, "text", [row.values[at] for row in short]))
            yield from indented(columns)
        for row in filter(is_long, section.rows):
            yield from stacked(row, found.runs)
        yield ""
    if not sections:
        # Every run has a status, a last step and a duration.
        is_known = any(section.name != "run" for section in found.sections)
        yield "no differences in what is known about these runs" if is_known else NOTHING_KNOWN
        yield ""
    yield from metric_lines(found)
    if with_patch:
        yield from patches(found)
    for problem in found.problems:
        yield f"problem: {printable(problem)}"


def is_long(row: Row) -> bool:
    """Whether a value is too wide for a column beside others, or has several lines."""
    return any(len(lines := lines_of(value)) > 1 or width_of(lines[0]) > MAX_TABLE_VALUE for value in row.values)


def lines_of(value: object) -> list[str]:
    """The lines of a note, and of anything else one."""
    parts = value.splitlines() if isinstance(value, str) else [value]
    return [shown(part, "text") for part in parts] or [""]


def stacked(row: Row, runs: Sequence[str]) -> Iterator[str]:
    """The values, one below the other."""
    yield f"  {printable(row.key)}"
    widest = max(width_of(printable(run)) for run in runs)
    for run, value in zip(runs, row.values, strict=True):
        first, *others = lines_of(value)
        yield f"    {fitted(run, widest)}  {first}"
        yield from (f"    {' ' * widest}  {line}" for line in others)


NOTHING_KNOWN = "these runs have metrics only: no run.json, hyperparameters or config files"


def metric_lines(found: Difference) -> Iterator[str]:
    if not found.metrics:
        yield "no metrics to compare"
        return
    yield "metrics"
    columns = [OutputColumn("", "text", [row.tag for row in found.metrics])]
    for at, run in enumerate(found.runs):
        columns.append(OutputColumn(f"{run}, last", "number", [row.final[at] for row in found.metrics]))
        columns.append(OutputColumn("best", "number", [row.best[at] for row in found.metrics]))
        columns.append(OutputColumn("at step", "number", [row.best_step[at] for row in found.metrics]))
    columns.append(OutputColumn("diverges", "text", [divergence_text(row) for row in found.metrics]))
    yield from indented(columns)
    if found.tags_left_out:
        yield f"  {counted(found.tags_left_out, 'more metric')}: choose some with --tags"


def patches(found: Difference) -> Iterator[str]:
    for run, patch in zip(found.runs, found.git_diffs, strict=True):
        yield ""
        yield f"uncommitted changes: {printable(run)}"
        yield from map(printable, patch.splitlines()) if patch else ["  none recorded"]


def indented(columns: Sequence[OutputColumn]) -> Iterator[str]:
    return text_lines(columns, is_terminal=sys.stdout.isatty(), has_wrapping=True, indent=2)
