"""Get runs back from a team server, byte for byte.

What is in the folder already is continued, not loaded again; everything is compared with the server by hash.
"""

from __future__ import annotations

import argparse
import sys

from seamark.cli.arguments.log_directory import folder, refuse
from seamark.cli.arguments.patterns import pattern
from seamark.cli.commands.push import add_destination
from seamark.cli.output.number_format import counted, size
from seamark.cli.output.progress_bar import ProgressBar
from seamark.upload.connection import Connection
from seamark.upload.destination import find_destination
from seamark.upload.errors import SettingsError, UploadError
from seamark.upload.puller import PullCounts, Puller


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_destination(parser)
    parser.add_argument(
        "--runs", type=pattern, default=pattern(""), metavar="REGEX", help="only runs whose name matches"
    )
    parser.add_argument("-o", "--output", required=True, type=folder, metavar="DIR", help="log directory to write to")


def run(args: argparse.Namespace) -> int:
    try:
        destination = find_destination(args.server, args.project)
        with ProgressBar(sys.stderr) as bar:

            def show(counts: PullCounts, total: int) -> None:
                done = counts.loaded_bytes + counts.had_bytes
                bar.show(done, total, f"{size(counts.loaded_bytes)} loaded")

            puller = Puller(Connection(destination), args.output, progress=show)
            runs = [name for name in puller.runs() if args.runs.is_found(name)]
            puller.pull(runs)
    except (SettingsError, UploadError, OSError) as error:
        return refuse("pull", error)
    except KeyboardInterrupt:
        return 130
    counts = puller.counts
    print(
        f"{counted(len(runs), 'run')}, {counted(counts.files, 'file')}: {size(counts.loaded_bytes)} loaded, "
        f"{size(counts.had_bytes)} already there: '{args.output}'"
    )
    return 0
