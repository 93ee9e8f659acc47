"""How much of its storage a project uses: by run, and by what the files are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from pathlib import Path

import msgspec

from seamark.profiles.captures.file_forms import form_of_name
from seamark.store import EVENT_FILE_MARK
from seamark.store.runs.removal import OWN_NAMES
from seamark.team.projects.run_files import files_of_run


class RunUsage(msgspec.Struct, frozen=True):
    name: str
    bytes: int
    kinds: dict[str, int]


def usage_of_run(logs: Path, run: str, known: Collection[str]) -> RunUsage:
    kinds: Counter[str] = Counter()
    for relative, entry in files_of_run(logs, run, known):
        kinds[kind_of_file(relative)] += entry.stat(follow_symlinks=False).st_size
    return RunUsage(run, sum(kinds.values()), dict(kinds))


def kind_of_file(relative: str) -> str:
    name = relative.rpartition("/")[2]
    if EVENT_FILE_MARK in name:
        return "events"
    if name in OWN_NAMES:
        return "record"
    if form_of_name(name) is not None:
        return "profiles"
    return "other"
