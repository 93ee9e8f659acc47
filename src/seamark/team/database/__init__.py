"""The database of a team server: SQLite in its folder, or PostgreSQL."""

from seamark.team.database.database import Database, DatabaseError, Transaction
from seamark.team.database.opening import open_database

__all__ = ["Database", "DatabaseError", "Transaction", "open_database"]
