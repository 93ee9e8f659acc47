"""Team: the objects that the routes of a team server share."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from seamark.team.access.identities import Identities
from seamark.team.access.principal import Principal
from seamark.team.access.rate_limits import RateLimits
from seamark.team.accounts.passwords import Passwords
from seamark.team.audit.openings import Openings
from seamark.team.audit.record import record
from seamark.team.database import Database, Transaction
from seamark.team.ingest.ingest import Ingest
from seamark.team.notify.announce import Announcer
from seamark.team.notify.deliver import Delivery
from seamark.team.notify.evaluate import Evaluation
from seamark.team.oidc.flow import OidcClient
from seamark.team.operations.metrics import Metrics
from seamark.team.projects.opened import OpenedProjects
from seamark.team.projects.project import Project
from seamark.team.retention.retention import Retention
from seamark.team.settings import TeamFolder, TeamSettings
from seamark.team.sharing.opened_shares import OpenedShares
from seamark.team.trash.trash import Trash

__all__ = ["Team", "new_openings", "record", "record_opening", "write_openings"]
T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Team:
    folder: TeamFolder
    settings: TeamSettings
    database: Database
    identities: Identities
    projects: OpenedProjects
    ingest: Ingest
    shares: OpenedShares
    trash: Trash
    retention: Retention
    evaluation: Evaluation
    delivery: Delivery
    announcer: Announcer
    passwords: Passwords
    limits: RateLimits = field(default_factory=RateLimits)
    oidc: OidcClient = field(default_factory=OidcClient)
    metrics: Metrics = field(default_factory=Metrics)
    openings: Openings = field(default_factory=Openings)
    is_secure: bool = False  # whether all browsers reach the server over HTTPS
    trusts_proxy: bool = False  # whether a proxy in front of it writes X-Forwarded-For and X-Forwarded-Proto
    clock: Callable[[], float] = field(default=time.time)

    def read(self, work: Callable[[Transaction], T]) -> T:
        return self.database.read(work)

    def write(self, work: Callable[[Transaction], T]) -> T:
        return self.database.write(work)


def record_opening(team: Team, principal: Principal, action: str, project: Project, target: str = "") -> None:
    """A line in the audit log that somebody looked at a project or share, or went on changing it: once an hour.

    `target` "" is the project.
    """
    write_openings(team, principal, action, project, new_openings(team, principal, action, project, [target]))


def new_openings(team: Team, principal: Principal, action: str, project: Project, targets: Iterable[str]) -> list[str]:
    """The targets that have no line within an hour. Does not ask the database."""
    now = team.clock()
    return [target for target in targets if team.openings.is_new(principal, f"{action} {project.id} {target}", now)]


def write_openings(team: Team, principal: Principal, action: str, project: Project, targets: Sequence[str]) -> None:
    def write(transaction: Transaction) -> None:
        for target in targets:
            record(transaction, principal, action, project_id=project.id, target=target or project.path)

    if targets:
        team.write(write)
