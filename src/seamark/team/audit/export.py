"""The audit log as CSV or JSON lines."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Literal

import msgspec

from seamark.team.audit.reading import AuditEntry

Format = Literal["csv", "jsonl"]
MEDIA_TYPES = {"csv": "text/csv; charset=utf-8", "jsonl": "application/jsonl"}
FIELDS = ("id", "time", "action", "user_email", "via", "address", "project", "target", "details")
# What a spreadsheet takes for the beginning of a formula.
FORMULA = ("=", "+", "-", "@", "\t", "\r")


def exported(pages: Iterable[list[AuditEntry]], form: Format) -> Iterator[bytes]:
    return as_csv(pages) if form == "csv" else as_json_lines(pages)


def as_json_lines(pages: Iterable[list[AuditEntry]]) -> Iterator[bytes]:
    for page in pages:
        yield b"".join(json.dumps(msgspec.to_builtins(entry)).encode("ascii") + b"\n" for entry in page)


def as_csv(pages: Iterable[list[AuditEntry]]) -> Iterator[bytes]:
    yield (",".join(FIELDS) + "\r\n").encode()
    for page in pages:
        text = io.StringIO()
        csv.writer(text).writerows([cell(value) for value in cells(entry)] for entry in page)
        yield text.getvalue().encode("utf-8", "replace")


def cells(entry: AuditEntry) -> list[str]:
    time = datetime.fromtimestamp(entry.happened_at, UTC).isoformat(timespec="milliseconds")
    details = json.dumps(entry.details) if entry.details else ""
    return [
        entry.id,
        time,
        entry.action,
        entry.user_email,
        entry.via,
        entry.address,
        entry.project,
        entry.target,
        details,
    ]


def cell(value: str) -> str:
    return f"'{value}" if value.startswith(FORMULA) else value
