"""From an identity at a provider to a user: who gets in, and who gets a new account.

An identity belongs to the user that it was linked with first. An account with a password is linked only by its own
signed-in user: whoever made an account with somebody else's email must not receive that person's sign-in.
"""

from __future__ import annotations

import time

from seamark.plugin import RequestError
from seamark.team.access.identities import USER_COLUMNS, user_from
from seamark.team.access.principal import Principal, User
from seamark.team.accounts.invitations import find_invitation
from seamark.team.accounts.joining import join_project
from seamark.team.accounts.users import create_user
from seamark.team.audit.record import acting_as, record
from seamark.team.database import Transaction
from seamark.team.oidc.flow import Identity
from seamark.team.oidc.settings import OidcProvider


def user_for(
    transaction: Transaction, principal: Principal, provider: OidcProvider, identity: Identity, invitation: str
) -> User:
    """Raises RequestError for those who may not come in."""
    user = linked_user(transaction, identity)
    if user is None and principal.user is not None:
        user = link(transaction, principal, identity, principal.user)
    if user is None:
        user = user_by_email(transaction, principal, identity)
    if user is None:
        user = new_user(transaction, principal, provider, identity, invitation)
    if invitation:
        join_project(transaction, principal, user, invitation, now=time.time())
    return user


def linked_user(transaction: Transaction, identity: Identity) -> User | None:
    row = transaction.row(
        f"SELECT {USER_COLUMNS}, u.disabled_at FROM users u WHERE u.oidc_issuer = ? AND u.oidc_subject = ?",
        identity.issuer,
        identity.subject,
    )
    if row is not None and row[4] is not None:
        raise RequestError("this account is disabled; ask an admin of the server", code="forbidden")
    return user_from(row[:4]) if row else None


def link(transaction: Transaction, principal: Principal, identity: Identity, user: User) -> User:
    transaction.execute(
        "UPDATE users SET oidc_issuer = ?, oidc_subject = ? WHERE id = ?", identity.issuer, identity.subject, user.id
    )
    record(transaction, acting_as(principal, user), "user.link", target=user.email, issuer=identity.issuer)
    return user


def user_by_email(transaction: Transaction, principal: Principal, identity: Identity) -> User | None:
    """An account that an admin made for this email, without a password."""
    if not identity.email:
        return None
    row = transaction.row(
        f"SELECT {USER_COLUMNS}, u.disabled_at, u.password_hash, u.oidc_subject FROM users u WHERE u.email = ?",
        identity.email,
    )
    if row is None:
        return None
    if row[4] is not None:
        raise RequestError("this account is disabled; ask an admin of the server", code="forbidden")
    if row[5] is not None or row[6] is not None:
        raise RequestError(
            "there is an account with this email already; sign in to it as before, then link it in its settings",
            code="conflict",
        )
    return link(transaction, principal, identity, user_from(row[:4]))


def new_user(
    transaction: Transaction, principal: Principal, provider: OidcProvider, identity: Identity, invitation: str
) -> User:
    if not identity.email:
        raise RequestError(
            "the provider does not vouch for your email address; ask an admin of the server", code="forbidden"
        )
    is_in_domain = provider.policy == "domain" and identity.email.rsplit("@", 1)[1] in provider.domains
    if not is_in_domain and not invitation:
        raise RequestError(
            "there is no account for you here; ask an admin of a project for an invitation", code="forbidden"
        )
    if not is_in_domain:
        find_invitation(transaction, invitation, time.time())
    user = create_user(
        transaction,
        email=identity.email,
        name=identity.name,
        password_hash=None,
        oidc=(identity.issuer, identity.subject),
    )
    record(transaction, acting_as(principal, user), "user.create", target=user.email, issuer=identity.issuer)
    return user
