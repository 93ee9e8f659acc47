"""Sends the notifications that wait, and tries again later what could not be sent."""

from __future__ import annotations

import logging

import msgspec

from seamark.team.database import Database, Transaction
from seamark.team.notify.email import SmtpSettings, read_smtp, send_email
from seamark.team.notify.rows import Channel
from seamark.team.notify.webhook import DeliveryError, send_webhook
from seamark.team.settings import TeamSettings

LOG = logging.getLogger(__name__)
MAX_AT_ONCE = 100
# 30 s, 1 min, 2 min … about four hours in all.
MAX_FAILURES = 9
FIRST_RETRY_SECS = 30.0
# As long as one attempt may take: nobody else tries meanwhile, also if this process is killed.
CLAIM_SECS = 60.0


class Waiting(msgspec.Struct, frozen=True):
    id: str
    text: str
    link: str
    failures: int
    retry_at: float
    channel: Channel
    target: str


class Delivery:
    """For any thread."""

    def __init__(self, database: Database, settings: TeamSettings) -> None:
        self._database = database
        self._settings = settings

    def send_waiting(self, now: float) -> int:
        """Returns how many were sent."""
        waiting = self._database.read(lambda transaction: waiting_at(transaction, now))
        smtp = self._database.read(read_smtp) if any(each.channel == "email" for each in waiting) else SmtpSettings()
        return sum(self._send_once(each, smtp, now) for each in waiting)

    def send(self, channel: Channel, target: str, text: str, link: str, smtp: SmtpSettings) -> None:
        """Raises DeliveryError."""
        address = f"{self._settings.public_url.rstrip('/')}{link}" if link and self._settings.public_url else ""
        if channel == "webhook":
            message = f"{text}\n{address}" if address else text
            send_webhook(target, message, allow_private=self._settings.allow_private_webhooks)
        elif channel == "email":
            send_email(smtp, target, text, address)

    def _send_once(self, waiting: Waiting, smtp: SmtpSettings, now: float) -> bool:
        if not self._database.write(lambda transaction: claim(transaction, waiting, now)):
            return False  # another process sends it
        try:
            self.send(waiting.channel, waiting.target, waiting.text, waiting.link, smtp)
        except DeliveryError as error:
            LOG.info("a notification could not be sent: %s", error)
            self._database.write(lambda transaction: note_failure(transaction, waiting, now))
            return False
        self._database.write(
            lambda transaction: transaction.execute(
                "UPDATE notifications SET sent_at = ? WHERE id = ?", now, waiting.id
            )
        )
        return True


def waiting_at(transaction: Transaction, now: float) -> list[Waiting]:
    rows = transaction.rows(
        "SELECT n.id, n.text, n.link, n.failures, n.retry_at, r.channel, r.target FROM notifications n "
        "JOIN notification_rules r ON r.id = n.rule_id "
        "WHERE n.sent_at IS NULL AND n.failures < ? AND n.retry_at <= ? ORDER BY n.id LIMIT ?",
        *(MAX_FAILURES, now, MAX_AT_ONCE),
    )
    return [Waiting(*row) for row in rows]


def claim(transaction: Transaction, waiting: Waiting, now: float) -> bool:
    return (
        transaction.execute(
            "UPDATE notifications SET retry_at = ? WHERE id = ? AND retry_at = ? AND sent_at IS NULL",
            *(now + CLAIM_SECS, waiting.id, waiting.retry_at),
        )
        > 0
    )


def note_failure(transaction: Transaction, waiting: Waiting, now: float) -> None:
    transaction.execute(
        "UPDATE notifications SET failures = ?, retry_at = ? WHERE id = ?",
        *(waiting.failures + 1, now + FIRST_RETRY_SECS * 2.0**waiting.failures, waiting.id),
    )
