"""Log directories: parses the values of --logdir and --logdir_spec."""

from __future__ import annotations

import glob
import os
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from seamark.format.types import RunName

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")


class LogRoot(Struct, frozen=True):
    """A folder of runs. `name` is "" for a single log directory, else the prefix of its runs' names."""

    name: str
    path: Path

    def run_name(self, folder: str) -> RunName:
        """Returns the name of the run in `folder`, which is relative to the root; "" is the root itself."""
        if not self.name:
            return RunName(printable_path(folder) or ".")
        return RunName(f"{self.name}/{printable_path(folder)}" if folder else self.name)


def printable_path(name: str) -> str:
    """Returns a path that is safe to print and to put into JSON: bytes that are not UTF-8 become \\xff."""
    if name.isascii():
        return name
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def parse_logdir(text: str) -> list[LogRoot]:
    """Parses "a", "a,b", "runs/*" and "name:path"; an existing folder may have a comma or colon in its name."""
    if text.strip() and Path(text).expanduser().is_dir():
        return [LogRoot("", _absolute(text))]
    return _roots(text, option="--logdir")


def parse_logdir_spec(text: str) -> list[LogRoot]:
    """Parses "name:path,name:path"; as in TensorBoard, a path may have no name."""
    return _roots(text, option="--logdir_spec")


def _roots(text: str, *, option: str) -> list[LogRoot]:
    roots = [root for part in text.split(",") if part.strip() for root in _parse_part(part.strip())]
    if not roots:
        raise ValueError(f"no log directory given: want a path in {option}, got {text!r}")
    return disambiguate(roots)


def _parse_part(part: str) -> Iterator[LogRoot]:
    name, path = _split_name(part)
    if _URL.match(path):
        raise ValueError(f"remote log directories cannot be read; mount or copy it first: '{path}'")
    if not glob.has_magic(path) or Path(path).expanduser().exists():
        yield LogRoot(name, _absolute(path))
        return
    matches = [Path(match) for match in sorted(glob.glob(str(Path(path).expanduser()), recursive=True))]  # noqa: PTH207
    folders = [match for match in matches if match.is_dir()]
    if not folders:
        raise ValueError(f"no folder matches this log directory pattern: '{path}'")
    for folder in folders:
        head = printable_path(folder.name)
        yield LogRoot(f"{name}/{head}" if name else "", _absolute(folder))


def _split_name(part: str) -> tuple[str, str]:
    is_plain_path = part[0] in "/." or _URL.match(part) is not None
    if ":" not in part or is_plain_path:
        return "", part
    name, _, path = part.partition(":")
    if not path:
        raise ValueError(f"no path after the name: want name:path, got '{part}'")
    return name.strip("/"), path


def disambiguate(roots: list[LogRoot]) -> list[LogRoot]:
    """Names each unnamed root by its folder, with as many parent folders as the names need to differ."""
    unique = list(dict.fromkeys(roots))
    if len(unique) == 1:
        return unique
    taken = {root.name for root in unique if root.name}
    named = {root: root.name for root in unique}
    pending = [root for root in unique if not root.name]
    for depth in range(1, 1 + max((len(root.path.parts) for root in pending), default=0)):
        tails = {
            root: "/".join(printable_path(part).strip("/\\") for part in root.path.parts[-depth:]) for root in pending
        }
        counts = Counter(tails.values())
        for root in pending:
            if counts[tails[root]] == 1 and tails[root] and tails[root] not in taken:
                named[root] = tails[root]
        taken.update(named.values())
        pending = [root for root in pending if not named[root]]
    return [LogRoot(named[root] or str(root.path), root.path) for root in unique]


def _absolute(path: str | Path) -> Path:
    # Not resolve(): a symlink keeps the name that the user gave.
    return Path(os.path.abspath(Path(path).expanduser()))  # noqa: PTH100
