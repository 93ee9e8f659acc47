"""`seamark team user` and `seamark team oidc`: who may sign in, and by what."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path

from seamark.cli.arguments.parser import UsageError
from seamark.team.database import Database
from seamark.team.oidc.settings import OidcProvider
from seamark.team.operations import accounts
from seamark.team.serving import open_team

USER_USAGE = "want seamark team user DIR list, or add, disable, enable or reset with an email"
OIDC_USAGE = "want seamark team oidc DIR list, or set or remove with a name"


def change_users(args: argparse.Namespace) -> int:
    return with_database(args, USER_CHANGES, USER_USAGE)


def change_providers(args: argparse.Namespace) -> int:
    return with_database(args, OIDC_CHANGES, OIDC_USAGE)


Change = Callable[[Database, str, argparse.Namespace], None]


def with_database(args: argparse.Namespace, changes: dict[str, Change], usage: str) -> int:
    verb, *rest = args.words or [""]
    if verb not in changes or len(rest) != (0 if verb == "list" else 1):
        raise UsageError(usage)
    team = open_team(args.path)
    try:
        changes[verb](team.database, rest[0] if rest else "", args)
    finally:
        team.database.close()
    return 0


def list_users(database: Database, _: str, __: argparse.Namespace) -> None:
    for user in accounts.list_users(database):
        marks = ["admin"] * user.is_server_admin + ["disabled"] * user.is_disabled + user.signs_in_by
        print(f"{user.email}  {user.name}  {' '.join(marks)}")


def add_user(database: Database, email: str, args: argparse.Namespace) -> None:
    password = accounts.add_user(
        database, email, name=args.name, is_admin=args.admin, has_password=not args.no_password
    )
    print(f"The password of {email} is {password}" if password else f"{email} can sign in by OIDC.")


def reset_password(database: Database, email: str, _: argparse.Namespace) -> None:
    password = accounts.reset_password(database, email, now=time.time())
    print(f"The password of {email} is {password}; all sessions have ended.")


def disable_user(database: Database, email: str, _: argparse.Namespace) -> None:
    accounts.set_disabled(database, email, True, now=time.time())
    print(f"{email} is disabled; sessions and tokens have ended.")


def enable_user(database: Database, email: str, _: argparse.Namespace) -> None:
    accounts.set_disabled(database, email, False, now=time.time())
    print(f"{email} may sign in again.")


def list_providers(database: Database, _: str, __: argparse.Namespace) -> None:
    for provider in accounts.list_providers(database):
        who = f"everybody of {', '.join(provider.domains)}" if provider.policy == "domain" else "invited people"
        print(f"{provider.name}  {provider.issuer}  {provider.client_id}  {who}")


def set_provider(database: Database, name: str, args: argparse.Namespace) -> None:
    secret = ""
    if args.client_secret_file is not None:
        is_stdin = args.client_secret_file == "-"
        try:
            secret = (sys.stdin.read() if is_stdin else Path(args.client_secret_file).read_text("utf-8")).strip()
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"the client secret cannot be read ({error}): '{args.client_secret_file}'") from None
    provider = OidcProvider(
        name=name,
        issuer=args.issuer,
        client_id=args.client_id,
        client_secret=secret,
        label=args.label,
        policy="domain" if args.allow_domain else "invited",
        domains=tuple(domain.lower() for domain in args.allow_domain),
        trusts_email=args.trust_email,
    )
    accounts.set_provider(database, provider)
    print(f"Register at the provider the address <where the server is>/team/api/oidc/callback for '{name}'.")


def remove_provider(database: Database, name: str, _: argparse.Namespace) -> None:
    accounts.drop_provider(database, name)
    print(f"Nobody signs in by '{name}' any more.")


USER_CHANGES: dict[str, Change] = {
    "list": list_users,
    "add": add_user,
    "reset": reset_password,
    "disable": disable_user,
    "enable": enable_user,
}
OIDC_CHANGES: dict[str, Change] = {"list": list_providers, "set": set_provider, "remove": remove_provider}
