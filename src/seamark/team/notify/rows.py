"""The rows of notifications and their rules."""

from __future__ import annotations

from typing import Literal

import msgspec

from seamark.team.database import Transaction
from seamark.team.secret_text import new_id

Event = Literal["finished", "crashed", "threshold", "no_progress", "mention"]
Channel = Literal["page", "webhook", "email"]
RULE_COLUMNS = "id, project_id, event, condition, channel, target, created_by, created_at"


class Condition(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """`runs`: a regular expression. Of a threshold `tag` and `above` or `below`, of no_progress `minutes`."""

    runs: str = ""
    tag: str = ""
    above: float | None = None
    below: float | None = None
    minutes: float | None = None


class Rule(msgspec.Struct, frozen=True):
    id: str
    project_id: str
    event: Event
    condition: Condition
    channel: Channel
    target: str
    created_by: str
    created_at: float


class Message(msgspec.Struct, frozen=True, kw_only=True):
    """`subject`: what it is about. The same subject is sent once for each rule."""

    subject: str
    text: str
    link: str
    run: str = ""


def rules_of(transaction: Transaction, project_id: str | None = None) -> list[Rule]:
    where, parameters = ("WHERE project_id = ?", (project_id,)) if project_id is not None else ("", ())
    rows = transaction.rows(f"SELECT {RULE_COLUMNS} FROM notification_rules {where} ORDER BY id", *parameters)
    return [
        Rule(rule_id, project, event, msgspec.json.decode(condition, type=Condition), channel, target, by, at)
        for rule_id, project, event, condition, channel, target, by, at in rows
    ]


def add_rule(
    transaction: Transaction,
    project_id: str,
    *,
    event: Event,
    condition: Condition,
    channel: Channel,
    target: str,
    created_by: str,
    now: float,
) -> Rule:
    rule = Rule(new_id(), project_id, event, condition, channel, target, created_by, now)
    text = msgspec.json.encode(condition).decode()
    transaction.execute(
        f"INSERT INTO notification_rules ({RULE_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        *(rule.id, project_id, event, text, channel, target, created_by, now),
    )
    return rule


def notify_by_rule(transaction: Transaction, rule: Rule, message: Message, now: float) -> bool:
    """Adds what a rule found. False if it was found before."""
    is_in_page = rule.channel == "page"
    added = transaction.execute(
        "INSERT INTO notifications (id, project_id, rule_id, subject, user_id, text, link, created_at, sent_at, run) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        *(new_id(), rule.project_id, rule.id, message.subject, rule.created_by if is_in_page else None),
        *(message.text, message.link, now, now if is_in_page else None, message.run),
    )
    return added > 0


def notify_person(transaction: Transaction, project_id: str, user_id: str, message: Message, now: float) -> bool:
    """Adds a message to somebody in the page, whatever rules they have. False if they have it already."""
    known = transaction.row(
        "SELECT 1 FROM notifications WHERE user_id = ? AND subject = ? AND rule_id IS NULL", user_id, message.subject
    )
    if known:
        return False
    transaction.execute(
        "INSERT INTO notifications (id, project_id, subject, user_id, text, link, created_at, sent_at, run) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        *(new_id(), project_id, message.subject, user_id, message.text, message.link, now, now, message.run),
    )
    return True
