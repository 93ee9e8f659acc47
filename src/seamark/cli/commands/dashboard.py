"""Write a new package with a dashboard of your own: a tab with a chart, ready to install and to change."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="name of the dashboard: lower case letters, digits, - and _")
    parser.add_argument("--folder", metavar="DIR", help="the folder to write, which must not exist (default: NAME)")


def run(args: argparse.Namespace) -> int:
    from seamark.plugin.new_package import write_package  # here: imports the store

    try:
        files = write_package(args.name, Path(args.folder or args.name))
    except (ValueError, OSError) as error:
        print(f"seamark dashboard: {error}", file=sys.stderr)
        return 2
    print("\n".join(map(str, files)))
    print(f"Install it with: pip install -e {files[0].parent}")
    return 0
