"""Tells people that a comment or report mentions them."""

from __future__ import annotations

from seamark.team.access.principal import User
from seamark.team.database import Transaction
from seamark.team.notify.rows import Message, notify_by_rule, notify_person, rules_of
from seamark.team.projects.project import Project
from seamark.team.together.people import mentioned, people_of

MAX_QUOTED = 200


def notify_mentioned(
    transaction: Transaction, project: Project, author: User, text: str, *, what: str, link: str, run: str, now: float
) -> None:
    """Once for each person and each thing, however often it is edited. `what` identifies the thing."""
    people = [person for person in mentioned(text, people_of(transaction, project)) if person.id != author.id]
    rules = [rule for rule in rules_of(transaction, project.id) if rule.event == "mention"] if people else []
    quoted = text if len(text) <= MAX_QUOTED else f"{text[:MAX_QUOTED]}…"
    for person in people:
        message = Message(
            subject=f"mention {what} {person.id}",
            text=f"{author.name or author.email} mentioned you in {project.path}: {quoted}",
            link=link,
            run=run,
        )
        notify_person(transaction, project.id, person.id, message, now)
        for rule in rules:
            if rule.created_by == person.id and rule.channel != "page":
                notify_by_rule(transaction, rule, message, now)
