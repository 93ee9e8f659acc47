"""The people of a project, and who a text mentions."""

from __future__ import annotations

import re
from collections.abc import Iterable

import msgspec

from seamark.team.database import Transaction
from seamark.team.projects.project import Project


class Person(msgspec.Struct, frozen=True):
    id: str
    email: str
    name: str


def people_of(transaction: Transaction, project: Project) -> list[Person]:
    """Members, and the admins of the organisation."""
    rows = transaction.rows(
        "SELECT u.id, u.email, u.name FROM users u WHERE u.disabled_at IS NULL AND ("
        "u.id IN (SELECT user_id FROM members WHERE project_id = ?) OR "
        "u.id IN (SELECT user_id FROM organisation_admins WHERE organisation_id = ?)) ORDER BY u.name",
        project.id,
        project.organisation_id,
    )
    return [Person(*row) for row in rows]


def mentioned(text: str, people: Iterable[Person]) -> list[Person]:
    """Those whose mail address or name stands behind an @; a longer name is not also the shorter one."""
    by_label = {label.casefold(): person for person in people for label in (person.name, person.email) if label}
    if not by_label:
        return []
    labels = "|".join(re.escape(label) for label in sorted(by_label, key=len, reverse=True))
    found = re.finditer(rf"(?<![\w@.])@({labels})(?![\w@])", text.casefold())
    return list({person.id: person for match in found for person in [by_label[match[1]]]}.values())
