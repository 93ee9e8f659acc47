"""Takes out of answers what tells about this machine and its user: paths, names of hosts, environments."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path, PurePath
from typing import Any

from seamark.store import LogRoot

# Fields of run.json that the page shows and that say nothing about the machine or its user.
RECORD_FIELDS = (
    "id", "name", "project", "group", "job_type", "tags", "notes", "status", "started_at", "ended_at", "exit_code",
    "signal", "last_step", "metrics", "packages", "gpus",
)  # fmt: skip
HOST_FIELDS = ("os", "cpu", "cpu_count", "memory_bytes")
GIT_FIELDS = ("commit", "branch", "dirty", "diff_file", "diff_bytes", "diff_truncated")
# From the root or the home directory, up to what cannot be part of a path in a command.
PATH = re.compile(r"(?<![\w./~-])[/~][^\s'\"=:,;]*")


class Redaction:
    """Replaces the log directories and the home directory wherever they are named."""

    def __init__(self, roots: Sequence[LogRoot]) -> None:
        shown = {str(root.path): root.name or root.path.name for root in roots}
        shown |= {str(root.path.resolve()): root.name or root.path.name for root in roots}
        home = str(Path.home())
        if len(PurePath(home).parts) > 1:
            shown[home] = "~"
        # The longest first: a log directory is often in the home directory.
        self._names = sorted(shown.items(), key=lambda pair: -len(pair[0]))

    def text(self, text: str) -> str:
        for path, name in self._names:
            text = text.replace(path, name)
        return text

    def is_in(self, content: bytes) -> bool:
        """Whether content names one of these folders."""
        return any(path.encode() in content for path, _ in self._names)

    def overwrite(self, content: bytes) -> bytes:
        """As long as before: lengths in the content stay right."""
        for path, _ in self._names:
            content = content.replace(path.encode(), b"~".ljust(len(path.encode()), b"_"))
        return content

    def json(self, body: bytes) -> bytes:
        text = body.decode()
        for path, name in self._names:
            text = text.replace(json.dumps(path)[1:-1], json.dumps(name)[1:-1])
            text = text.replace(json.dumps(path, ensure_ascii=False)[1:-1], json.dumps(name, ensure_ascii=False)[1:-1])
        return text.encode()


# What they say may change by itself, which a site does not notice.
LIVE_STATUSES = frozenset({"running", "writing", "idle"})
UNFINISHED = "unfinished"


def published_status(status: str) -> str:
    return UNFINISHED if status in LIVE_STATUSES else status


def without_machine(run: dict[str, Any]) -> dict[str, Any]:
    """An answer of /api/run without the host, its folders, its user and its environment."""
    return {
        **run,
        "path": run["name"],
        "status": published_status(run["status"]),
        "record": published_record(run["record"]) if run.get("record") else None,
        "sessions": [
            {**session, "host": "", "pid": 0, "command": command_of(session)} for session in run.get("sessions") or []
        ],
    }


def published_record(record: dict[str, Any]) -> dict[str, Any]:
    kept = {name: record[name] for name in RECORD_FIELDS if name in record}
    host, git, python = record.get("host") or {}, record.get("git"), record.get("python") or {}
    error = record.get("error")
    return {
        **kept,
        "status": published_status(record.get("status", "")),
        "command": command_of(record),
        "working_dir": "",
        "environment": {},
        "error": {"type": error["type"], "message": error["message"], "traceback": ""} if error else None,
        "python": {**python, "executable": ""},
        "host": {"name": "", **{name: host[name] for name in HOST_FIELDS if name in host}},
        "git": {"remote": "", **{name: git[name] for name in GIT_FIELDS if name in git}} if git else None,
    }


def command_of(described: dict[str, Any]) -> list[str]:
    return [names_of_paths(word) for word in described.get("command") or []]


def names_of_paths(text: str) -> str:
    """Absolute paths without their folders."""
    return PATH.sub(lambda found: PurePath(found[0]).name or found[0], text)
