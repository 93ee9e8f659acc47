"""Generates the log directories, measures both viewers and the writers, writes RESULTS.md and WRITERS.md."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

from bench import (
    buckets,
    graphs_page,
    installed,
    layouts,
    pages,
    projector_page,
    run_table,
    tensorboard_routes,
    trials_page,
    whatif_part,
)
from bench.browser import InBrowser
from bench.buckets import Buckets
from bench.graphs_page import GraphsPage
from bench.measure import Measurement
from bench.media_pages import MediaPages
from bench.parts import PARTS
from bench.profiles import profile_page
from bench.profiles.profile_page import ProfilePage
from bench.projector_page import ProjectorPage
from bench.readback import Readback
from bench.report import Figure, Report
from bench.scalar_pages import ScalarPages
from bench.scenarios import Bench
from bench.site_page import SitePage
from bench.team import team_part
from bench.team.team_part import TeamPart
from bench.tensorboard_routes import TensorBoardRoutes
from bench.trials_page import TrialsPage
from bench.viewers import Seamark, TensorBoard
from bench.whatif_part import WhatIfPart
from bench.writers import Writers

HERE = Path(__file__).resolve().parent
# Compared with other writers, and reported on a page of its own.
WRITERS = "writers"
# A ClickHouse cluster, which has to be installed: only when it is named.
SCALE = "scale"


def main(argv: list[str] | None = None) -> int:
    args = _parse(argv)
    args.data_dir.mkdir(parents=True, exist_ok=True)
    if not args.quick:
        installed.enter(args.data_dir.resolve() / "installed", sys.argv[1:] if argv is None else argv)
    if WRITERS in args.parts:
        measure_writers(args)
    if SCALE in args.parts:
        measure_scale(args)
    if set(args.parts) & set(PARTS):
        measure_viewers(args)
    return 0


def measure_writers(args: argparse.Namespace) -> None:
    output = args.output.with_name("QUICK_WRITERS.md" if args.quick else "WRITERS.md")
    output.write_text(Writers(args.data_dir / "peers", args.repeat, args.quick, _say).run())
    _say(f"written: {output}")


def measure_scale(args: argparse.Namespace) -> None:
    from bench.scale import ScalePart, sizes

    output = args.output.with_name("QUICK_SCALE.md" if args.quick else "SCALE.md")
    points = sizes(1_000_000 if args.quick else args.scale_points)
    table_runs = 200 if args.quick else 20_000
    part = ScalePart(points, args.repeat, _say, args.data_dir / "scale", table_runs=table_runs)
    output.write_text(part.run())
    _say(f"written: {output}")


def measure_viewers(args: argparse.Namespace) -> None:
    previous = args.output.read_text() if args.output.exists() else ""
    report = Report(repeat=args.repeat, quick=args.quick, peer_version=version("tensorboard"), previous=previous)
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

    def adder(part: str) -> Callable[[Figure], None]:
        figures = report.figures[part] = []

        def add(figure: Figure) -> None:
            figures.append(figure)
            _say(f"{figure.what}: peer {figure.peer}, ours {figure.ours}")
            args.output.write_text(report.markdown())

        return add

    with tempfile.TemporaryDirectory(prefix="scratch-", dir=args.data_dir) as scratch:
        bench = Bench(Path(scratch), append_cycle_secs=0.1 if args.quick else 5.0)
        server = Measurement(bench, logdirs, repeat=args.repeat, appends=args.appends)
        scalar_pages = ScalarPages(bench, logdirs, server.index_ahead, args.repeat)
        if "server" in args.parts:
            server.run(adder("server"))
        if "browser" in args.parts:
            InBrowser(scalar_pages, adder("browser")).run()
        if "pages" in args.parts:
            pages.measure(adder("pages"), quick=args.quick)
        if "media" in args.parts:
            index_dir = server.index_ahead("L3")
            MediaPages(bench, *logdirs["L3"], index_dir, args.repeat, adder("media")).run()
        if "table" in args.parts:
            run_table.RunTables(bench, run_table.QUICK if args.quick else run_table.FULL, adder("table")).run()
        if "hparams" in args.parts:
            TrialsPage(bench, trials_page.QUICK if args.quick else trials_page.FULL, adder("hparams")).run()
        if "graphs" in args.parts:
            sizes = graphs_page.QUICK if args.quick else graphs_page.FULL
            GraphsPage(bench, sizes, args.repeat, adder("graphs")).run()
        if "projector" in args.parts:
            rows = projector_page.QUICK if args.quick else projector_page.FULL
            ProjectorPage(bench, rows, args.repeat, adder("projector")).run()
        if "profile" in args.parts:
            sizes_of_profiles = profile_page.QUICK if args.quick else profile_page.FULL
            peers = args.data_dir / "peers"
            ProfilePage(bench, sizes_of_profiles, peers, args.repeat, adder("profile")).run()
        if "whatif" in args.parts:
            sizes_of_sets = whatif_part.QUICK if args.quick else whatif_part.FULL
            WhatIfPart(bench, sizes_of_sets, args.repeat, adder("whatif")).run()
        if "readback" in args.parts:
            Readback(*logdirs["L2"], server.index_ahead("L2"), args.repeat, adder("readback")).run()
        if "tensorboard_routes" in args.parts:
            nodes = tensorboard_routes.QUICK_NODES if args.quick else tensorboard_routes.FULL_NODES
            add = adder("tensorboard_routes")
            TensorBoardRoutes(bench, *logdirs["L2"], nodes, args.repeat, add).run()
        if "team" in args.parts:
            sizes_of_teams = team_part.QUICK if args.quick else team_part.FULL
            TeamPart(bench, sizes_of_teams, args.data_dir / "peers", adder("team")).run()
        if "buckets" in args.parts:
            sizes_of_buckets = buckets.QUICK if args.quick else buckets.FULL
            Buckets(bench, *logdirs["L5"], sizes_of_buckets, args.repeat, adder("buckets")).run()
        if "site" in args.parts:
            SitePage(scalar_pages, adder("site")).run()
    _say(f"written: {args.output}")


def _parse(argv: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small data, one repeat: does it still run?")
    parser.add_argument(
        "--parts",
        nargs="+",
        choices=[*PARTS, WRITERS, SCALE],
        default=[*PARTS, WRITERS],
        help="which to measure, the others stay as they are; other writers are looked for in data_dir/peers/<library>",
    )
    parser.add_argument("--repeat", type=int, help="fresh processes per figure; the least counts (3, quick: 1)")
    parser.add_argument("--scale_points", type=int, default=10**8, help="points of the part scale (100,000,000)")
    parser.add_argument("--appends", type=int, help="appended points; their median counts (5, quick: 1)")
    parser.add_argument("--data_dir", type=Path, default=HERE / "data", help="the folder for generated log directories")
    parser.add_argument(
        "--output", type=Path, help="the Markdown file (RESULTS.md beside this module; quick: in data_dir)"
    )
    args = parser.parse_args(argv)
    args.repeat = args.repeat or (1 if args.quick else 3)
    args.appends = args.appends or (1 if args.quick else 5)
    args.output = args.output or (args.data_dir / "QUICK.md" if args.quick else HERE / "RESULTS.md")
    return args


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
