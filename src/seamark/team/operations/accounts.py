"""Accounts and providers from the command line of the machine, where nobody has to sign in."""

from __future__ import annotations

import secrets

from seamark.plugin import RequestError
from seamark.team.access.principal import Principal, User
from seamark.team.accounts.passwords import Passwords
from seamark.team.accounts.users import create_user, normal_email, user_with_email
from seamark.team.audit.record import record
from seamark.team.database import Database, Transaction
from seamark.team.oidc.settings import OidcProvider, read_providers, remove_provider, save_provider
from seamark.team.routes.users import TEMPORARY_BYTES, UserChange, UserItem, all_users, change_user

OPERATOR = Principal(address="", is_operator=True)


def add_user(database: Database, email: str, *, name: str, is_admin: bool, has_password: bool) -> str | None:
    """Returns the new password; None for an account that signs in by OIDC only. Raises RequestError."""
    password = secrets.token_urlsafe(TEMPORARY_BYTES) if has_password else None
    password_hash = Passwords().hash(password) if password is not None else None

    def add(transaction: Transaction) -> None:
        user = create_user(
            transaction,
            email=email,
            name=name or email.split("@")[0],
            password_hash=password_hash,
            is_server_admin=is_admin,
        )
        record(transaction, OPERATOR, "user.create", target=user.email)

    database.write(add)
    return password


def list_users(database: Database) -> list[UserItem]:
    return database.read(all_users)


def set_disabled(database: Database, email: str, disabled: bool, *, now: float) -> None:
    """Raises RequestError."""
    change(database, email, UserChange(disabled=disabled), None, now=now)


def reset_password(database: Database, email: str, *, now: float) -> str:
    """Returns the new password. Raises RequestError."""
    password = secrets.token_urlsafe(TEMPORARY_BYTES)
    change(database, email, UserChange(reset_password=True), Passwords().hash(password), now=now)
    return password


def change(database: Database, email: str, wanted: UserChange, password_hash: str | None, *, now: float) -> None:
    database.write(
        lambda transaction: change_user(
            transaction, OPERATOR, known_user(transaction, email), wanted, password_hash, now=now
        )
    )


def known_user(transaction: Transaction, email: str) -> User:
    user = user_with_email(transaction, normal_email(email))
    if user is None:
        raise RequestError(f"there is no account for '{email}'", code="not_found")
    return user


def list_providers(database: Database) -> list[OidcProvider]:
    return list(database.read(read_providers).values())


def set_provider(database: Database, provider: OidcProvider) -> None:
    def save(transaction: Transaction) -> None:
        save_provider(transaction, provider)
        record(transaction, OPERATOR, "oidc.change", target=provider.name)

    database.write(save)


def drop_provider(database: Database, name: str) -> None:
    """Raises RequestError."""

    def drop(transaction: Transaction) -> None:
        remove_provider(transaction, name)
        record(transaction, OPERATOR, "oidc.remove", target=name)

    database.write(drop)
