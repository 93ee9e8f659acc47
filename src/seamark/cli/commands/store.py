"""Create the tables of a ClickHouse database, list what it has, or remove runs from it.

`seamark store init clickhouse://host/db` creates them, `seamark ingest` fills them, `seamark serve --store` shows them.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from seamark.cli.output.number_format import counted
from seamark.cli.output.text import printable
from seamark.format.types import RunName

if TYPE_CHECKING:
    from seamark.clickhouse.client import Client


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", choices=sorted(ACTIONS), help="what to do")
    parser.add_argument("address", metavar="clickhouse://…", help="hosts and database; clickhouses:// for TLS")
    parser.add_argument("--cluster", metavar="NAME", help="with init: the name of the cluster in the servers' settings")
    parser.add_argument("--run", action="append", default=[], metavar="RUN", help="with remove: a run; may be repeated")
    parser.add_argument("--before", metavar="YYYY-MM", help="with remove: all runs that began before this month")
    parser.add_argument("--dry_run", action="store_true", help="with remove: only print what would be removed")


def run(args: argparse.Namespace) -> int:
    from seamark.clickhouse.address import parse_address
    from seamark.clickhouse.client import HttpClient, QueryError
    from seamark.store import StoreUnavailableError

    try:
        client = HttpClient(parse_address(args.address))
        return ACTIONS[args.action](client, args)
    except (ValueError, QueryError, StoreUnavailableError) as error:
        print(f"seamark store: {printable(str(error))}", file=sys.stderr)
        return 2


def init(client: Client, args: argparse.Namespace) -> int:
    from seamark.clickhouse.schema import create_tables

    create_tables(client, args.cluster)
    print(f"The tables are there. Fill them: seamark ingest DIR --to {client.address}")
    return 0


def info(client: Client, args: argparse.Namespace) -> int:
    from seamark.clickhouse.catalogue import read_shown_runs

    rows = read_shown_runs(client, client.address.project)
    points = sum(row.record.points for row in rows.values())
    payloads = sum(row.record.payloads for row in rows.values())
    amounts = ", ".join([counted(len(rows), "run"), counted(points, "point"), counted(payloads, "payload")])
    print(f"{amounts}: '{client.address}'")
    return 0


def remove(client: Client, args: argparse.Namespace) -> int:
    from seamark.clickhouse.removal import apply_retention, month_before, plan_retention, remove_runs

    if bool(args.run) == bool(args.before):
        raise ValueError("remove needs --run RUN or --before YYYY-MM, and not both")
    if args.run:
        names = [RunName(name) for name in args.run]
        removed = remove_runs(client, names, dry_run=args.dry_run)
        amounts = counted(removed, "run")
    else:
        plan = plan_retention(client, month_before(args.before))
        if not args.dry_run:
            apply_retention(client, plan)
        months = f", {counted(len(plan.dropped_months), 'whole month')}" if plan.dropped_months else ""
        amounts = f"{counted(len(plan.rows), 'run')} with {counted(plan.points, 'point')}{months}"
    if args.dry_run:
        print(f"Would remove {amounts}: '{client.address}'")
    else:
        print(f"Removed {amounts}; the server deletes rows in the background: '{client.address}'")
    return 0


ACTIONS: Mapping[str, Callable[[Client, argparse.Namespace], int]] = {"init": init, "info": info, "remove": remove}
