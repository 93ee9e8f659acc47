"""Generates the log directories, measures both viewers and the writers, writes RESULTS.md and WRITERS.md."""

from __future__ import annotations

import argparse
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

from bench import layouts
from bench.measure import Measurement
from bench.report import Figure, Report
from bench.scenarios import Bench
from bench.viewers import Seamark, TensorBoard
from bench.writers import Writers

HERE = Path(__file__).resolve().parent


def main(argv: list[str] | None = None) -> int:
    args = _parse(argv)
    args.data_dir.mkdir(parents=True, exist_ok=True)
    if args.part in ("all", "writers"):
        measure_writers(args)
    if args.part in ("all", "viewers"):
        measure_viewers(args)
    return 0


def measure_writers(args: argparse.Namespace) -> None:
    output = args.data_dir / "QUICK_WRITERS.md" if args.quick else HERE / "WRITERS.md"
    if args.part == "writers" and args.output is not None:
        output = args.output
    output.write_text(Writers(args.data_dir / "peers", args.repeat, args.quick, _say).run())
    _say(f"written: {output}")


def measure_viewers(args: argparse.Namespace) -> None:
    output = args.output or (args.data_dir / "QUICK.md" if args.quick else HERE / "RESULTS.md")
    report = Report(repeat=args.repeat, quick=args.quick, peer_version=version("tensorboard"))
    report.commands = [
        "python -m bench" + (" --quick" if args.quick else ""),
        TensorBoard.shown_command,
        Seamark.shown_command,
    ]
    logdirs = {}
    for layout in layouts.QUICK if args.quick else layouts.FULL:
        logdir = layouts.prepare(layout, args.data_dir, say=_say)
        layouts.warm_page_cache(logdir)
        logdirs[layout.name] = layout, logdir
        report.layouts.append(f"{layout.name}: {layout.title}; {layouts.total_bytes(logdir) / 1e6:,.0f} MB")

    def add(figure: Figure) -> None:
        report.figures.append(figure)
        _say(f"{figure.what}: peer {figure.peer}, ours {figure.ours}")

    with tempfile.TemporaryDirectory(prefix="scratch-", dir=args.data_dir) as scratch:
        bench = Bench(Path(scratch), append_cycle_secs=0.1 if args.quick else 5.0)
        Measurement(bench, logdirs, repeat=args.repeat, appends=args.appends, add=add).run()
    output.write_text(report.markdown())
    _say(f"written: {output}")


def _parse(argv: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small data, one repeat: does it still run?")
    parser.add_argument("--repeat", type=int, help="fresh processes per figure; the least counts (3, quick: 1)")
    parser.add_argument("--appends", type=int, help="appended points; their median counts (5, quick: 1)")
    parser.add_argument("--data_dir", type=Path, default=HERE / "data", help="where log directories are made and kept")
    parser.add_argument(
        "--output", type=Path, help="the Markdown file (RESULTS.md beside this module; quick: in data_dir)"
    )
    parser.add_argument(
        "--part",
        choices=("all", "viewers", "writers"),
        default="all",
        help="writers: into WRITERS.md; beside what is installed, and in environments data_dir/peers/<library>",
    )
    args = parser.parse_args(argv)
    args.repeat = args.repeat or (1 if args.quick else 3)
    args.appends = args.appends or (1 if args.quick else 5)
    return args


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
