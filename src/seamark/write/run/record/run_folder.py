"""Finds or creates the folder of a run: `<dir>/<project>/<name>`."""

from __future__ import annotations

import re
import secrets
import string
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from seamark import liveness
from seamark.format.run_record import FILE_NAME, FINISHED, RUNNING, RunRecord
from seamark.format.surrogates import replace_surrogates
from seamark.write.run.record import names, run_file

NEVER, ALLOW, MUST, AUTO = "never", "allow", "must", "auto"


class RunExistsError(RuntimeError):
    pass


class NoSuchRunError(RuntimeError):
    pass


class RunInUseError(RuntimeError):
    pass


@dataclass(frozen=True)
class RunFolder:
    path: Path
    id: str
    name: str
    earlier: RunRecord | None  # of the run that is resumed


def choose(root: Path, *, name: str | None, id: str | None, resume: str) -> RunFolder:
    """Returns the folder of the run to resume, or creates a new one."""
    found = None if resume == NEVER and not id else _find(root, name=name, id=id, resume=resume)
    if found is None:
        if resume == MUST:
            wanted = f"id '{id}'" if id else f"name '{name}'" if name else "an earlier run"
            raise NoSuchRunError(f"resume='must' found no run with {wanted}; check dir and project: '{root}'")
        return _new(root, name=name, id=id)
    folder, earlier = found
    if resume == NEVER:
        raise RunExistsError(
            f"a run with id '{earlier.id}' exists already; "
            f"resume it with resume='allow' or choose another id: '{folder}'"
        )
    if liveness.process_lives(earlier) and earlier.status == RUNNING:
        raise RunInUseError(
            f"run '{earlier.id}' is in use by process {earlier.writer.pid}; "
            f"wait for it to finish, or start a run with another id: '{folder}'"
        )
    return RunFolder(folder, earlier.id, name or earlier.name, earlier)


def _find(root: Path, *, name: str | None, id: str | None, resume: str) -> tuple[Path, RunRecord] | None:
    if id:
        known = _runs(root, likely=(id, name or id), mention=id)
        return next(((folder, found) for folder, found in known if found.id == id), None)
    if name:
        known = _runs(root, likely=(name,))
        return next(((folder, found) for folder, found in known if found.name == name), None)
    if resume not in (AUTO, MUST):
        return None
    now = time.time()
    interrupted = [
        (folder, found)
        for folder, found in _runs(root)
        if liveness.status_of(found, now=now) not in (RUNNING, FINISHED)
    ]
    return max(interrupted, key=lambda pair: pair[1].started_at, default=None)


def _runs(root: Path, *, likely: tuple[str, ...] = (), mention: str = "") -> Iterator[tuple[Path, RunRecord]]:
    """The runs directly below a folder: the likely names first, then those whose run.json contains `mention`."""
    first = [root / slug(name) for name in likely]
    others = sorted(path.parent for path in root.glob(f"*/{FILE_NAME}") if path.parent not in first)
    for folder in [*first, *others]:
        found = run_file.read(folder, mention=mention)
        if found is not None and found.id:
            yield folder, found


def _new(root: Path, *, name: str | None, id: str | None) -> RunFolder:
    chosen_id = id or new_id()
    for candidate in _folder_names(name, id):
        folder = root / candidate
        try:
            # mkdir fails if the folder exists, so two processes never share one by accident.
            folder.mkdir(parents=True)
        except FileExistsError:
            continue
        return RunFolder(folder, chosen_id, name or candidate, None)
    raise AssertionError("unreachable: names do not run out")


def _folder_names(name: str | None, id: str | None) -> Iterator[str]:
    stem = slug(name or id or "")
    if stem:
        yield stem
    while True:
        yield f"{stem}-{new_id()[:4]}" if stem else new_name()


def slug(name: str) -> str:
    """A name as a folder: without separators and characters that some file systems reject, not hidden, not too long."""
    safe = re.sub(r"[\x00-\x1f\x7f/\\<>:\"|?*\s]+", "-", replace_surrogates(name))
    return safe.encode()[:120].decode(errors="ignore").strip(".-")


def new_id() -> str:
    return "".join(secrets.choice(string.ascii_lowercase + string.digits) for _ in range(8))


def new_name() -> str:
    first, second = secrets.choice(names.ADJECTIVES), secrets.choice(names.NOUNS)
    return f"{first}-{second}-{secrets.randbelow(10_000):04d}"
