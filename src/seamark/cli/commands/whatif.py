"""Ask a model about the examples of one file, without a log directory.

Reads the file where it is; nothing is copied. A model runs only if --predict names it; without, the page uses the
predictions that are in the file.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from urllib.parse import quote

from seamark.cli.arguments import models
from seamark.cli.arguments.log_directory import refuse
from seamark.cli.commands import serve
from seamark.cli.linked_run import check_file, linked_run, log_dir_of
from seamark.cli.opened_page import OpenedPage
from seamark.store import LogRoot

MARK = ".examples"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    which = parser.add_argument_group("what to show")
    which.add_argument("file", type=Path, metavar="DATA", help="the examples")
    models.add_allow_predict(which, "--predict", "run this model, or call this address")
    which.add_argument("--truth", default="", metavar="COLUMN", help="the column with the truth (default: by its name)")
    which.add_argument("--positive", default="", metavar="CLASS", help="the class that scores are of")
    serve.add_server_arguments(parser)


def run(args: argparse.Namespace) -> int:
    with log_dir_of("whatif", args.file, args.index_dir) as log_dir:
        return show(args, log_dir)


def show(args: argparse.Namespace, log_dir: Path) -> int:
    file: Path = args.file
    try:
        name = linked_name(file)
        folder = linked_run(log_dir, file.stem, {name: file})
    except (ValueError, OSError) as error:
        return refuse("whatif", error)
    fragment = f"whatif&whatif.run={quote(folder.name)}&whatif.name={quote(f'file:{name}')}"
    return serve.show([LogRoot("", folder.parent)], args, page=OpenedPage(f"'{file}'", fragment))


def linked_name(file: Path) -> str:
    """The name by which the file, or the folder of images, is found as a set of examples."""
    from seamark.dashboards.whatif.sources import is_examples_name  # loads NumPy
    from seamark.examples.readers.sources import SUFFIXES

    if file.is_dir():
        return file.name if is_examples_name(file.name, ("",)) else f"{file.resolve().name}{MARK}"
    check_file(file, SUFFIXES)
    if is_examples_name(file.name, SUFFIXES):
        return file.name
    ending = max((one for one in SUFFIXES if file.name.lower().endswith(one)), key=len)  # .csv.gz before .gz
    return f"{file.name[: -len(ending)]}{MARK}{ending}"
