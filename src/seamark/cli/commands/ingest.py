"""Copy the runs of a log directory into a ClickHouse database; a second time copies only what is new.

With --follow it goes on until Ctrl-C, and new points are in the database within a second.
"""

from __future__ import annotations

import argparse
import sys
import time
from typing import TYPE_CHECKING

from seamark.cli.arguments import log_directory
from seamark.cli.arguments.parser import add_logdir
from seamark.cli.output.number_format import counted
from seamark.cli.output.text import printable
from seamark.store import Store

if TYPE_CHECKING:
    from seamark.clickhouse.client import Client
    from seamark.clickhouse.payload_objects import PayloadObjects


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_logdir(parser)
    parser.add_argument(
        "--to", required=True, metavar="clickhouse://…", help="the database, with the tables of seamark store init"
    )
    parser.add_argument(
        "--payloads",
        metavar="s3://…|DIR",
        help="copy images, histograms and other payloads there, so that servers need no event files",
    )
    parser.add_argument("--follow", action="store_true", help="go on until Ctrl-C, and remove runs that are removed")
    log_directory.add_index_dir(parser)


def run(args: argparse.Namespace) -> int:
    from seamark.clickhouse.address import parse_address
    from seamark.clickhouse.client import HttpClient, QueryError
    from seamark.clickhouse.payload_objects import open_objects
    from seamark.store import StoreUnavailableError

    try:
        roots = log_directory.existing_roots(args.logdir)
        client = HttpClient(parse_address(args.to))
        objects = open_objects(args.payloads) if args.payloads else None
        index_dir = log_directory.index_dir_if_there(args.index_dir, roots)
        with Store(roots, index_dir=index_dir, index_read_only=args.index_dir is None, follow=args.follow) as store:
            store.wait_loaded()
            return follow(client, store, objects) if args.follow else ingest(client, store, objects)
    except (ValueError, QueryError, StoreUnavailableError) as error:
        print(f"seamark ingest: {printable(str(error))}", file=sys.stderr)
        return 2


def ingest(client: Client, store: Store, objects: PayloadObjects | None) -> int:
    from seamark.clickhouse.following import ingest_all

    started = time.perf_counter()
    counts = ingest_all(client, store, objects=objects)
    secs = time.perf_counter() - started
    amounts = f"{counted(counts.runs, 'run')} with {counted(counts.points, 'new point')}"
    print(f"{amounts} in {secs:.1f} s: '{client.address}'")
    return 0


def follow(client: Client, store: Store, objects: PayloadObjects | None) -> int:
    from seamark.clickhouse.following import ingest_changes

    print(f"Ingesting into '{client.address}'  (Ctrl-C stops it)", flush=True)
    ingest_changes(client, store, is_ending=lambda: False, objects=objects)
    return 0
