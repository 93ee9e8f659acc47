"""Failed sign-ins: each one makes an account and an address wait longer.

An attempt counts as a failure before the password is checked, and is taken back when it was right: many attempts at
the same time are as many failures. Accounts that do not exist are counted in the same way.
"""

from __future__ import annotations

from collections.abc import Sequence

from seamark.team.access.networks import network_of
from seamark.team.database import Transaction

# Failures without a wait. An address may be that of a whole office.
FREE_ACCOUNT_FAILURES, FREE_ADDRESS_FAILURES = 5, 30
FIRST_WAIT_SECS, MAX_WAIT_SECS = 2.0, 900.0
# After this time without a failure, counting starts again.
FORGET_SECS = 24 * 3600.0


def subjects_of(email: str, address: str) -> list[tuple[str, int]]:
    """What is counted, with the failures that are free."""
    return [(f"account {email}", FREE_ACCOUNT_FAILURES), (f"address {network_of(address)}", FREE_ADDRESS_FAILURES)]


def begin_attempt(transaction: Transaction, subjects: Sequence[tuple[str, int]], now: float) -> float:
    """Counts a failure. Returns how many seconds to wait; if not 0, this attempt must not be checked nor is counted."""
    transaction.execute("DELETE FROM sign_in_failures WHERE first_at < ? AND locked_until < ?", now - FORGET_SECS, now)
    for subject, _ in subjects:
        hold(transaction, subject, now)
    wait = max(locked_secs(transaction, subject, now) for subject, _ in subjects)
    if wait > 0:
        return wait
    for subject, free in subjects:
        count_failure(transaction, subject, free, now)
    return 0.0


def hold(transaction: Transaction, subject: str, now: float) -> None:
    """Makes other attempts of other processes wait until this transaction has counted its own."""
    transaction.execute(
        "INSERT INTO sign_in_failures (subject, failures, first_at, locked_until) VALUES (?, 0, ?, 0) "
        "ON CONFLICT (subject) DO UPDATE SET failures = sign_in_failures.failures",
        subject,
        now,
    )


def locked_secs(transaction: Transaction, subject: str, now: float) -> float:
    row = transaction.row("SELECT locked_until FROM sign_in_failures WHERE subject = ?", subject)
    return max(0.0, row[0] - now) if row else 0.0


def count_failure(transaction: Transaction, subject: str, free: int, now: float) -> None:
    transaction.execute(
        "UPDATE sign_in_failures SET failures = failures + 1, first_at = ? WHERE subject = ?", now, subject
    )
    row = transaction.row("SELECT failures FROM sign_in_failures WHERE subject = ?", subject)
    assert row is not None
    if row[0] >= free:
        wait = min(MAX_WAIT_SECS, FIRST_WAIT_SECS * 2.0 ** min(row[0] - free, 20))
        transaction.execute("UPDATE sign_in_failures SET locked_until = ? WHERE subject = ?", now + wait, subject)


def forget_failures(transaction: Transaction, email: str, address: str) -> None:
    """After a right password. Of the address only this attempt, or one account would open it for guesses at others."""
    (account, _), (place, _) = subjects_of(email, address)
    transaction.execute("DELETE FROM sign_in_failures WHERE subject = ?", account)
    transaction.execute(
        "UPDATE sign_in_failures SET failures = failures - 1, locked_until = 0 WHERE subject = ? AND failures > 0",
        place,
    )
