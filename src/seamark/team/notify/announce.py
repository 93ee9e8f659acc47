"""Announcer: tells open pages which of their lists others have changed, in this process or in another one.

Nobody has to report a change: what the lists were made of is looked at every second, while somebody has a page open.
A list has the version that is announced, so that a page requests only what it does not have.
"""

from __future__ import annotations

from collections.abc import Sequence

from starlette.concurrency import run_in_threadpool

from seamark.team.database import Database, Transaction
from seamark.team.projects.opened import OpenedProjects

# Times are summed as whole milliseconds: sums of floats depend on their order.
TIMES = "SUM(CAST(COALESCE({0}, 0) * 1000 AS BIGINT))"
COMMENTS = ", ".join(["COUNT(*)", *(TIMES.format(name) for name in ("created_at", "edited_at", "deleted_at"))])
NOTIFICATIONS = ", ".join(["COUNT(*)", *(TIMES.format(name) for name in ("created_at", "seen_at"))])
NO_ROWS = "0"


class Announcer:
    """`announce` is called on the event loop, again and again."""

    def __init__(self, database: Database, projects: OpenedProjects) -> None:
        self._database = database
        self._projects = projects

    async def announce(self) -> None:
        watched = self._projects.watched()
        users = {user for project in watched.values() for user in project.live.audiences} - {""}
        if not watched:
            return
        comments, states, notifications = await run_in_threadpool(
            self._database.read,
            lambda transaction: (
                comment_versions(transaction, list(watched)),
                state_versions(transaction, list(watched)),
                notification_versions(transaction, list(users)),
            ),
        )
        for project_id, project in watched.items():
            live = project.live
            live.announce("comments", {"version": comments.get(project_id, NO_ROWS)})
            if project_id in states:
                project.state.announce(states[project_id])
            for user in live.audiences & users:
                live.announce("notifications", {"version": notifications.get(user, NO_ROWS)}, audience=user)


def comments_version(transaction: Transaction, project_id: str) -> str:
    return comment_versions(transaction, [project_id]).get(project_id, NO_ROWS)


def notifications_version(transaction: Transaction, user_id: str) -> str:
    return notification_versions(transaction, [user_id]).get(user_id, NO_ROWS)


def comment_versions(transaction: Transaction, project_ids: Sequence[str]) -> dict[str, str]:
    return grouped(transaction, COMMENTS, "comments", "project_id", project_ids)


def notification_versions(transaction: Transaction, user_ids: Sequence[str]) -> dict[str, str]:
    return grouped(transaction, NOTIFICATIONS, "notifications", "user_id", user_ids)


def state_versions(transaction: Transaction, project_ids: Sequence[str]) -> dict[str, int]:
    rows = transaction.rows(
        f"SELECT project_id, version FROM saved_states WHERE project_id IN ({marks(project_ids)})", *project_ids
    )
    return {project_id: int(version) for project_id, version in rows}


def grouped(transaction: Transaction, numbers: str, table: str, key: str, wanted: Sequence[str]) -> dict[str, str]:
    """By key, some numbers that are others after any change of its rows."""
    if not wanted:
        return {}
    rows = transaction.rows(
        f"SELECT {key}, {numbers} FROM {table} WHERE {key} IN ({marks(wanted)}) GROUP BY {key}", *wanted
    )
    return {found: "-".join(str(int(number)) for number in sums) for found, *sums in rows}


def marks(wanted: Sequence[str]) -> str:
    return ", ".join("?" * len(wanted))
