"""Rows for every table of a team server, made from the tables themselves: for tests of upgrades and backups."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from seamark.team.database import Transaction
from seamark.team.database.migrations import all_migrations, statements
from seamark.team.operations.backup import column_names

# Columns with a meaning that the tables do not state.
JSON_COLUMNS = {"details": "{}", "retention": "[]", "runs": '["a"]', "condition": "{}"}


def insert_sample_rows(transaction: Transaction, tables: Sequence[str], dialect: str) -> None:
    """One row in each table; a reference names the row of the other table."""
    inserted: dict[str, dict[str, Any]] = {}
    for table in tables:
        declared = declarations(table)
        columns = [name for name in column_names(transaction, table, dialect) if name in declared]
        row = {name: value_for(table, name, declared[name], inserted) for name in columns}
        marks = ", ".join("?" * len(row))
        transaction.execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({marks})", *row.values())
        inserted[table] = row


def declarations(table: str) -> dict[str, str]:
    """Column → its declaration, as the migration that creates the table has it."""
    for sql in all_migrations().values():
        for statement in statements(sql):
            match = re.match(rf"CREATE TABLE {table} \((.*)\)$", statement, re.DOTALL)
            if match:
                lines = [line.strip().rstrip(",") for line in match[1].splitlines()]
                return {line.split()[0]: line for line in lines if re.match(r"[a-z_]+ [A-Z]", line)}
    raise AssertionError(f"no migration creates the table {table}")


def value_for(table: str, name: str, declared: str, inserted: dict[str, dict[str, Any]]) -> Any:
    reference = re.search(r"REFERENCES (\w+) \((\w+)\)", declared)
    if reference:
        return inserted[reference[1]][reference[2]] if reference[1] in inserted else None
    choices = re.search(r"IN \('(\w+)'", declared)
    if choices:
        return choices[1]
    if name in JSON_COLUMNS:
        return JSON_COLUMNS[name]
    if "DOUBLE" in declared:
        return 1234567890.125
    return 7 if "BIGINT" in declared else f"{table} {name} é 'quoted'"
