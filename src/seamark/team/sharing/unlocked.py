"""Who has entered the password of a share: a cookie that is valid for this share and address only."""

from __future__ import annotations

import hmac
from hashlib import sha256

from seamark.plugin import RequestError
from seamark.team.access.networks import network_of
from seamark.team.accounts.failures import begin_attempt
from seamark.team.accounts.passwords import Passwords
from seamark.team.database import Database, Transaction
from seamark.team.sharing.shares import ShareRow

COOKIE_SECS = 7 * 24 * 3600
# Guesses without a wait: from one address, and from everywhere.
FREE_FAILURES, FREE_FAILURES_OF_ALL = 5, 50


def cookie_name(share: ShareRow) -> str:
    return f"seamark-share-{share.id}"


def cookie_value(share: ShareRow, key: str) -> str:
    """Nobody can compute it without the stored hash, and another password or address makes it invalid."""
    return hmac.new((share.password_hash or "").encode(), f"{share.id} {key}".encode(), sha256).hexdigest()


def has_cookie(share: ShareRow, key: str, given: str) -> bool:
    return hmac.compare_digest(given.encode(), cookie_value(share, key).encode())


def check_password(
    database: Database, passwords: Passwords, share: ShareRow, password: str, *, address: str, now: float
) -> None:
    """Raises RequestError for a wrong password, and for too many of them."""
    if share.password_hash is None:
        return
    subjects = [(f"share {share.id} {network_of(address)}", FREE_FAILURES), (f"share {share.id}", FREE_FAILURES_OF_ALL)]
    wait = database.write(lambda transaction: begin_attempt(transaction, subjects, now))
    if wait > 0:
        secs = max(1, round(wait))
        raise RequestError(
            f"too many wrong passwords for this link; retry in {secs} s",
            code="too_many_requests",
            details={"retry_after_secs": secs},
        )
    if not passwords.is_right(share.password_hash, password):
        raise RequestError("this is not the password of the link", code="unauthorized")

    def forget(transaction: Transaction) -> None:
        for subject, _ in subjects:
            transaction.execute(
                "UPDATE sign_in_failures SET failures = failures - 1, locked_until = 0 WHERE subject = ?", subject
            )

    database.write(forget)
