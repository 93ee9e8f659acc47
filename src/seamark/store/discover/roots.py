"""Log directories: parses the values of --logdir and --logdir_spec."""

from __future__ import annotations

import glob
import os
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from seamark.format.bucket_address import is_bucket, parse_bucket
from seamark.format.site_address import is_site, parse_site
from seamark.format.types import RunName
from seamark.store.buckets.location import copy_path

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")


class LogRoot(Struct, frozen=True):
    """A folder of runs. `name` is "" for a single log directory, else the prefix of its runs' names.

    With an `address` the runs are in a bucket or a published site, and `path` is their local copy. A `label` is shown
    in place of the path: visitors of a server must not learn where its folders are.
    """

    name: str
    path: Path
    address: str = ""
    label: str = ""

    @property
    def shown(self) -> str:
        """What people know it by."""
        return self.label or self.address or printable_path(str(self.path))

    def shown_path(self, relative: str) -> str:
        """What people know a file or folder in it by; "" is the root itself."""
        return f"{self.shown.rstrip('/')}/{printable_path(relative)}" if relative else self.shown

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
    if is_bucket(path):
        yield copied_root(name, parse_bucket(path))
        return
    if is_site(path):
        yield copied_root(name, parse_site(path))
        return
    if _URL.match(path):
        raise ValueError(
            "want a folder, a bucket with s3://, gs:// or az://, or a published site with https://;"
            f" mount or copy any other first: '{path}'"
        )
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


def copied_root(name: str, address: str) -> LogRoot:
    folder = copy_path(address)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return LogRoot(name, folder, address)


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
    for depth in range(1, 1 + max((len(_parts(root)) for root in pending), default=0)):
        tails = {root: "/".join(part.strip("/\\") for part in _parts(root)[-depth:]) for root in pending}
        counts = Counter(tails.values())
        for root in pending:
            if counts[tails[root]] == 1 and tails[root] and tails[root] not in taken:
                named[root] = tails[root]
        taken.update(named.values())
        pending = [root for root in pending if not named[root]]
    return [replace(root, name=named[root] or root.shown) for root in unique]


def _parts(root: LogRoot) -> list[str]:
    if root.address:
        return root.address.partition("://")[2].split("/")
    return [printable_path(part) for part in root.path.parts]


def _absolute(path: str | Path) -> Path:
    # Not resolve(): a symlink keeps the name that the user gave.
    return Path(os.path.abspath(Path(path).expanduser()))  # noqa: PTH100
