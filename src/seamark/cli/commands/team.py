"""Create, run and look after a team server, which keeps the runs of many people.

`seamark team init DIR` creates one, `seamark team serve DIR` runs it. Then: `unit DIR` prints a systemd unit,
`backup DIR` and `restore FILE DIR` copy it, `user DIR add|list|disable|enable|reset [EMAIL]` changes accounts, and
`oidc DIR list|set|remove [NAME]` the providers that people sign in with.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path

from seamark.cli.arguments.parser import UsageError
from seamark.cli.commands.serve import SWITCH_SECS, names, port_number

# Packages of the extra.
EXTRA = ("argon2", "jwt", "obstore", "psycopg")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", choices=sorted(ACTIONS), help="what to do")
    parser.add_argument("path", metavar="DIR", type=Path, help="folder of the team server; for restore: the backup")
    parser.add_argument("words", metavar="…", nargs="*", help="restore: the folder; user, oidc: what to do with whom")
    made = parser.add_argument_group("init and restore")
    made.add_argument("--database", metavar="URL", help="postgresql://…; without it SQLite in the folder")
    made.add_argument("--storage", metavar="URL", help="s3://…; without it files in the folder")
    parser.add_argument(
        "--points", metavar="clickhouse://…", help="init, restore, serve, unit: pages take points from this database"
    )
    made.add_argument("--public_url", default="", metavar="URL", help="init: how browsers reach it, as https://host")
    served = parser.add_argument_group("serve and unit")
    served.add_argument("--host", default="localhost", help="address to listen on (default: localhost)")
    served.add_argument("--port", type=port_number, help="port to listen on; 0 takes any")
    served.add_argument("--certificate", type=Path, metavar="FILE", help="PEM file with the certificate's chain: HTTPS")
    served.add_argument("--key", type=Path, metavar="FILE", help="PEM file with its key, if it is not in the same file")
    served.add_argument(
        "--behind_proxy", action="store_true", help="trust X-Forwarded-For and X-Forwarded-Proto of a proxy in front"
    )
    served.add_argument("--allow_host", type=names, default=(), metavar="NAME,…", help="further host names (proxies)")
    served.add_argument("--run_as", default="seamark", metavar="USER", help="unit: the user it runs as")
    copied = parser.add_argument_group("backup")
    copied.add_argument("-o", "--output", type=Path, metavar="FILE", help="file to write; compressed if it ends in .gz")
    people = parser.add_argument_group("user")
    people.add_argument("--name", default="", help="add: the person's name")
    people.add_argument("--admin", action="store_true", help="add: makes an admin of the server")
    people.add_argument("--no_password", action="store_true", help="add: an account that signs in by OIDC only")
    add_oidc_arguments(parser)


def add_oidc_arguments(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("oidc")
    group.add_argument(
        "--issuer", default="", metavar="URL", help="set: the provider's issuer, as https://accounts.host"
    )
    group.add_argument("--client_id", default="", metavar="ID", help="set: as registered at the provider")
    group.add_argument("--client_secret_file", metavar="FILE", help="set: file with the client secret; - reads stdin")
    group.add_argument("--label", default="", help="set: what the sign-in page shows")
    group.add_argument(
        "--allow_domain",
        type=names,
        default=(),
        metavar="NAME,…",
        help="set: whose emails get an account at once",
    )
    group.add_argument(
        "--trust_email", action="store_true", help="set: the provider owns its addresses but sends no email_verified"
    )


def run(args: argparse.Namespace) -> int:
    try:
        return run_action(args)
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] not in EXTRA:
            raise
        print(f"seamark team needs {error.name}, which is not installed: pip install 'seamark[team]'", file=sys.stderr)
        return 2


def run_action(args: argparse.Namespace) -> int:
    from seamark.plugin import RequestError
    from seamark.serve.server import PortError
    from seamark.team.database import DatabaseError
    from seamark.team.operations.backup import BackupError
    from seamark.team.settings import NoTeamError

    try:
        return ACTIONS[args.action](args)
    except (NoTeamError, DatabaseError, BackupError, PortError, RequestError) as error:
        print(f"seamark: {error}", file=sys.stderr)
        return 2


def init(args: argparse.Namespace) -> int:
    from seamark.team.database import open_database
    from seamark.team.settings import TeamFolder, TeamSettings

    no_words(args)
    if args.public_url and not args.public_url.startswith(("https://", "http://")):
        raise UsageError(f"--public_url is an address such as https://runs.example.org, got '{args.public_url}'")
    folder = TeamFolder(args.path)
    settings = TeamSettings(
        database=args.database or "",
        storage=args.storage or "",
        points=args.points or "",
        public_url=args.public_url.rstrip("/"),
    )
    folder.check_free()
    check_points(settings.points)
    if settings.database:  # a wrong address leaves no folder behind
        open_database(folder, settings).close()
    folder.create(settings)
    open_database(folder, settings).close()
    print(f"A team server is in '{args.path}'. Start it: seamark team serve {shlex.quote(str(args.path))}")
    return 0


def check_points(address: str) -> None:
    """Whether the database can be used now. Raises UsageError."""
    from seamark.clickhouse.address import AddressError
    from seamark.clickhouse.client import QueryError
    from seamark.clickhouse.store import open_checked
    from seamark.store import StoreUnavailableError

    try:
        if address:
            open_checked(address).close()
    except (AddressError, QueryError, StoreUnavailableError) as error:
        raise UsageError(f"--points: {error}") from None


def serve(args: argparse.Namespace) -> int:
    from seamark.team.serving import TeamServeOptions, serve_team

    no_words(args)
    options = TeamServeOptions(
        host=args.host,
        port=args.port,
        allowed_hosts=args.allow_host,
        certificate=args.certificate,
        key=args.key,
        behind_proxy=args.behind_proxy,
        points=args.points,
    )
    sys.setswitchinterval(SWITCH_SECS)  # as in seamark serve
    return serve_team(args.path, options)


def unit(args: argparse.Namespace) -> int:
    from seamark.team.operations.unit import systemd_unit
    from seamark.team.settings import TeamFolder

    no_words(args)
    TeamFolder(args.path).read()
    flags = ["--host", args.host]
    flags += ["--port", str(args.port)] if args.port is not None else []
    for flag, file in (("--certificate", args.certificate), ("--key", args.key)):
        flags += [flag, str(file.resolve())] if file is not None else []
    flags += ["--behind_proxy"] if args.behind_proxy else []
    flags += ["--allow_host", ",".join(args.allow_host)] if args.allow_host else []
    flags += ["--points", args.points] if args.points is not None else []
    print(systemd_unit(args.path, flags, port=args.port, user=args.run_as), end="")
    return 0


def backup(args: argparse.Namespace) -> int:
    from seamark.team.operations.backup import make_backup
    from seamark.team.serving import open_team

    no_words(args)
    if args.output is None:
        raise UsageError("name the file to write: seamark team backup DIR -o FILE")
    team = open_team(args.path)
    try:
        report = make_backup(team.folder, team.database, args.output)
    finally:
        team.database.close()
    print(f"{report.rows:,} rows and {report.files:,} files ({report.bytes:,} bytes) are in '{args.output}'.")
    if team.settings.storage:
        print(f"What is in {team.settings.storage} is not part of it: back that up where it is.")
    return 0


def restore(args: argparse.Namespace) -> int:
    from seamark.team.operations.restore import restore_backup
    from seamark.team.settings import TeamFolder

    if len(args.words) != 1:
        raise UsageError("name the backup and a new folder: seamark team restore FILE DIR")
    folder = Path(args.words[0])
    restore_backup(args.path, TeamFolder(folder), database=args.database, storage=args.storage, points=args.points)
    print(f"The team server is in '{folder}'. Start it: seamark team serve {folder}")
    return 0


def user(args: argparse.Namespace) -> int:
    from seamark.cli.team_people import change_users

    return change_users(args)


def oidc(args: argparse.Namespace) -> int:
    from seamark.cli.team_people import change_providers

    return change_providers(args)


def no_words(args: argparse.Namespace) -> None:
    if args.words:
        raise UsageError(f"unexpected argument '{args.words[0]}'")


ACTIONS = {
    "init": init,
    "serve": serve,
    "unit": unit,
    "backup": backup,
    "restore": restore,
    "user": user,
    "oidc": oidc,
}
