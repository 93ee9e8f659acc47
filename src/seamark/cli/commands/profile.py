"""Print where the time of a profile goes and what to change; or capture one from a running program.

Reads traces of PyTorch, JAX and TensorFlow, and Chrome traces.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from seamark.cli.arguments.log_directory import add_index_dir, check_folder, existing_roots, index_dir_named, refuse
from seamark.cli.output.text import fitted, printable, width_of
from seamark.cli.output.text_table import OutputColumn, text_lines

if TYPE_CHECKING:
    from seamark.profiles.cache.opening import ProfileOpener
    from seamark.profiles.profile import Profile
    from seamark.profiles.results import Comparison, Findings, Operators, Overview

MAX_OPERATORS = 10
MAX_NAME_CELLS = 100
CAPTURE = "capture"


class Chosen(NamedTuple):
    """The ranks of one capture, and the one that is shown."""

    title: str
    ranks: list[tuple[str, Profile]]
    shown: int

    @property
    def profile(self) -> Profile:
        return self.ranks[self.shown][1]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    which = parser.add_argument_group("what to read")
    which.add_argument("file", nargs="?", metavar="FILE", help="a trace; or `capture`, which needs HOST:PORT")
    which.add_argument(
        "address",
        nargs="?",
        metavar="HOST:PORT",
        help="of the profiler server of a running JAX or TensorFlow program; the profile is written below --logdir",
    )
    which.add_argument("--logdir", metavar="DIR", help="the newest profile below this folder")
    which.add_argument("--run", metavar="RUN", help="with --logdir: the newest profile of this run")
    which.add_argument("--capture", metavar="NAME", help="with --logdir: this profile")
    which.add_argument("--host", metavar="NAME", help="with --logdir: this host or rank")
    which.add_argument("--compare", metavar="OTHER", help="another trace or log directory to compare with")
    parser.add_argument(
        "--duration_ms", type=int, default=2000, metavar="N", help="how long to capture (default: 2000)"
    )
    parser.add_argument("--python", action="store_true", help="capture Python functions, too")
    parser.add_argument("--json", action="store_true", help="print JSON instead of text")
    add_index_dir(parser)


def run(args: argparse.Namespace) -> int:
    from seamark.profiles.form import ProfileError  # loads NumPy

    try:
        if args.file == CAPTURE and args.address is not None:
            return capture(args)
        chosen = choose(args)
        other = choose_other(args)
    except (ValueError, OSError, ProfileError) as error:
        return refuse("profile", error)
    if args.json:
        sys.stdout.write(json_of(chosen, other) + "\n")
    else:
        print("\n".join(text_of(chosen, other)))
    return 0


def capture(args: argparse.Namespace) -> int:
    from seamark.profiles.captures.remote import capture_remote

    check_folder(args.logdir or "")
    log_dir = Path(args.logdir or "runs")
    path = capture_remote(args.address, log_dir, duration_ms=args.duration_ms, python=args.python)
    print(f"wrote {printable(str(path))}")
    return 0


# Which profile


def choose(args: argparse.Namespace) -> Chosen:
    if (args.file is None) == (args.logdir is None):
        raise ValueError("want a FILE or --logdir DIR, got both or neither")
    if args.file is not None:
        return open_file(Path(args.file), args)
    return open_newest(args.logdir, args, run=args.run, capture=args.capture, host=args.host)


def choose_other(args: argparse.Namespace) -> Chosen | None:
    if args.compare is None:
        return None
    path = Path(args.compare)
    return open_newest(args.compare, args) if path.is_dir() else open_file(path, args)


def open_file(path: Path, args: argparse.Namespace) -> Chosen:
    from seamark.profiles.cache.opening import ProfileOpener

    if not path.is_file():
        raise ValueError(f"no such file: '{path}'")
    return Chosen(path.name, [("", read_profile(ProfileOpener(index_dir_named(args.index_dir)), path))], 0)


def read_profile(opener: ProfileOpener, path: Path) -> Profile:
    """With the path in the error: a capture has several files, and --compare another one."""
    from seamark.profiles.form import ProfileError

    try:
        return opener.open(path)
    except ProfileError as error:
        raise ProfileError(f"{error}: '{path}'") from error


def open_newest(
    logdir: str,
    args: argparse.Namespace,
    *,
    run: str | None = None,
    capture: str | None = None,
    host: str | None = None,
) -> Chosen:
    from seamark.profiles.cache.opening import ProfileOpener
    from seamark.profiles.captures.find import find_captures

    found = [
        (root, root.run_name("" if one.run == "." else one.run), one)
        for root in existing_roots(logdir)
        for one in find_captures(root.path)[0]
    ]
    found = [one for one in found if run in (None, one[1]) and capture in (None, one[2].name)]
    if not found:
        raise ValueError(f"no profile was found: '{logdir}'")
    root, name, newest = max(found, key=lambda one: (not one[2].is_remainder, one[2].time))
    hosts = [file.host for file in newest.hosts]
    if host is not None and host not in hosts:
        raise ValueError(f"the profile has no host '{host}', want one of {', '.join(hosts[:20])}")
    opener = ProfileOpener(index_dir_named(args.index_dir))
    ranks = [(file.host, read_profile(opener, root.path / file.path)) for file in newest.hosts]
    shown = 0 if host is None else hosts.index(host)
    return Chosen(f"{name}, {newest.name}, {hosts[shown]}", ranks, shown)


# Output


def json_of(chosen: Chosen, other: Chosen | None) -> str:
    import msgspec

    from seamark.profiles.report import report_of

    content = report_of(chosen.ranks, chosen.shown)
    if other is not None:
        from seamark.profiles.comparison import compare_profiles

        content["comparison"] = msgspec.to_builtins(compare_profiles(chosen.profile, other.profile))
    return msgspec.json.format(msgspec.json.encode(content), indent=1).decode()


def text_of(chosen: Chosen, other: Chosen | None) -> Iterator[str]:
    from seamark.profiles.analyses.operators import find_operators
    from seamark.profiles.analyses.overview import find_overview
    from seamark.profiles.analyses.steps import complete_steps, find_steps
    from seamark.profiles.findings.rules import findings_of_ranks

    yield printable(chosen.title)
    overview = chosen.profile.get(find_overview)
    yield from (f"  {printable(note)}" for note in overview.notes)
    yield from overview_lines(overview)
    yield from finding_lines(findings_of_ranks(chosen.ranks, chosen.shown))
    complete = len(complete_steps(chosen.profile.get(find_steps).steps))
    yield from operator_lines(chosen.profile.get(find_operators), complete)
    if other is not None:
        from seamark.profiles.comparison import compare_profiles

        yield from comparison_lines(other, compare_profiles(chosen.profile, other.profile))


def overview_lines(overview: Overview) -> Iterator[str]:
    from seamark.profiles.comparison import PART_NAMES
    from seamark.profiles.findings.rule import count_of, in_ms

    if not overview.steps:
        yield f"  {overview.steps_text}"
        return
    mean = sum(overview.mean.values())
    each = f"{in_ms(mean)} each on average" if len(overview.steps) > 1 else in_ms(mean)
    yield f"  {count_of(len(overview.steps), 'step')}, {each} ({overview.steps_text})"
    parts = [(PART_NAMES[part], ns) for part, ns in overview.mean.items() if ns]
    yield ""
    yield from text_lines(
        [
            OutputColumn("where a step goes", "text", [name for name, _ in parts]),
            OutputColumn("ms", "text", [f"{ns / 1e6:10.3f}" for _, ns in parts]),
            OutputColumn("share", "text", [f"{ns / max(1, mean):6.1%}" for _, ns in parts]),
        ],
        is_terminal=sys.stdout.isatty(),
    )


def finding_lines(found: Findings) -> Iterator[str]:
    yield ""
    if not found.checked:
        yield "No findings: no rule could be checked; see rules_skipped of --json."
    elif not found.findings:
        yield f"No findings: {found.checked} rules found nothing."
    for finding in found.findings:
        gain = f"-{finding.gain:.1%}" if finding.gain else "memory"
        yield f"{gain:>7}  {printable(finding.text)} [{finding.code}]"
        yield f"         {printable(finding.advice)}"


def operator_lines(operators: Operators, complete_steps: int) -> Iterator[str]:
    if not operators.rows:
        return
    has_device = operators.total_device_ns is not None
    steps, per_step = max(1, complete_steps), " a step" if complete_steps else ""
    rows = sorted(operators.rows, key=lambda row: -((row.device_self_ns or 0) if has_device else row.self_ns))
    rows = rows[:MAX_OPERATORS]
    columns = [
        OutputColumn("operator", "text", [fitted(row.name, min(MAX_NAME_CELLS, width_of(row.name))) for row in rows]),
        OutputColumn(f"calls{per_step}", "text", [f"{row.calls / steps:8.1f}" for row in rows]),
        OutputColumn(f"self ms{per_step}", "text", [f"{row.self_ns / steps / 1e6:10.3f}" for row in rows]),
    ]
    if has_device:
        values = [f"{(row.device_self_ns or 0) / steps / 1e6:10.3f}" for row in rows]
        columns.append(OutputColumn(f"device ms{per_step}", "text", values))
    yield ""
    yield from text_lines(columns, is_terminal=sys.stdout.isatty())


def comparison_lines(other: Chosen, comparison: Comparison) -> Iterator[str]:
    from seamark.profiles.comparison import PART_NAMES

    yield ""
    yield f"A: this profile. B: {printable(other.title)}"
    yield from (f"  {printable(sentence)}" for sentence in comparison.explanation)
    rows = [row for row in comparison.breakdown if row.a_ns or row.b_ns]
    yield ""
    yield from text_lines(
        [
            OutputColumn("", "text", [PART_NAMES.get(row.part, "Step") for row in rows]),
            OutputColumn("A ms", "text", [f"{row.a_ns / 1e6:10.3f}" for row in rows]),
            OutputColumn("B ms", "text", [f"{row.b_ns / 1e6:10.3f}" for row in rows]),
            OutputColumn("change", "text", [f"{(row.b_ns - row.a_ns) / 1e6:+10.3f}" for row in rows]),
        ],
        is_terminal=sys.stdout.isatty(),
    )
