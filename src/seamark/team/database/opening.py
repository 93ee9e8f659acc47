"""Opens the database of a team server and brings its tables up to date."""

from __future__ import annotations

from seamark.team.database.database import Database, DatabaseError
from seamark.team.database.migrations import migrate
from seamark.team.database.sqlite import SqliteDatabase
from seamark.team.settings import TeamFolder, TeamSettings


def open_database(folder: TeamFolder, settings: TeamSettings) -> Database:
    """Raises DatabaseError."""
    database = connect(folder, settings)
    migrate(database)
    return database


def connect(folder: TeamFolder, settings: TeamSettings) -> Database:
    """The database as it is, which may lack tables. Raises DatabaseError."""
    if not settings.database:
        return SqliteDatabase(folder.database_file)
    if settings.database.startswith(("postgresql://", "postgres://")):
        from seamark.team.database.postgresql import PostgresDatabase  # an extra

        return PostgresDatabase(settings.database)
    raise DatabaseError("want --database postgresql://user@host/name, or none for SQLite in the folder")
