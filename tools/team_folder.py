"""Creates the folder of a team server with a user, a project and tokens, for tests and the bench."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

from seamark.team.database import Transaction, open_database
from seamark.team.projects.project import create_project
from seamark.team.secret_text import TOKEN_PREFIX, hash_secret, new_id, new_secret
from seamark.team.settings import TeamFolder, TeamSettings

PROJECT = "acme/vision"


@dataclass(frozen=True)
class Tokens:
    writer: str
    viewer: str
    project_id: str
    writers: tuple[str, ...]  # the first is `writer`


def create_team(path: Path, settings: TeamSettings | None = None, *, writers: int = 1) -> Tokens:
    """A team folder with one user, one project, a token of a viewer and some of writers."""
    folder = TeamFolder(path)
    folder.create(settings or TeamSettings())
    database = open_database(folder, folder.read())
    secrets = tuple(new_secret(TOKEN_PREFIX) for _ in range(writers))
    viewer = new_secret(TOKEN_PREFIX)

    def fill(transaction: Transaction) -> str:
        user_id, now = new_id(), time.time()
        transaction.execute(
            "INSERT INTO users (id, email, name, is_server_admin, created_at) VALUES (?, ?, ?, 0, ?)",
            *(user_id, "ada@example.org", "Ada", now),
        )
        organisation, name = PROJECT.split("/")
        project = create_project(transaction, organisation, name, creator=user_id)
        for scope, secret in [*(("writer", secret) for secret in secrets), ("viewer", viewer)]:
            transaction.execute(
                "INSERT INTO tokens (id, hash, name, user_id, scope, created_at, created_by) "
                "VALUES (?, ?, ?, ?, ?, ?, ?)",
                *(new_id(), hash_secret(secret), scope, user_id, scope, now, user_id),
            )
        return project.id

    try:
        return Tokens(secrets[0], viewer, database.write(fill), secrets)
    finally:
        database.close()
