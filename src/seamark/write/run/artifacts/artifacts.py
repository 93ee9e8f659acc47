"""Artifacts: files with a name and a version that runs share, such as datasets and checkpoints.

`<run>/artifacts/<name>/v<number>/` has `manifest.json` and the files in `files/`; a reference has only the manifest,
with the path of the files. Versions are counted over all runs of the project.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from seamark.format.replace_file import replace_file
from seamark.write.run.artifacts import copying
from seamark.write.run.artifacts.copying import CopyError
from seamark.write.run.record import folder_lock
from seamark.write.run.record.run_folder import slug

FOLDER, MANIFEST, FILES = "artifacts", "manifest.json", "files"
SCHEMA = "seamark.artifact"
MAX_FILE_BYTES = 1 << 40
LATEST = "latest"
_VERSION = re.compile(r"v(\d{1,9})")


class NoSuchArtifactError(RuntimeError):
    """The message lists the existing versions."""


@dataclass
class ArtifactFile:
    path: str
    bytes: int
    digest: str  # sha256


@dataclass
class Manifest:
    name: str
    version: int = 0
    type: str = ""
    digest: str = ""
    created_at: float = 0.0
    run_id: str = ""
    aliases: list[str] = field(default_factory=list)
    metadata: dict[str, Any] = field(default_factory=dict)
    reference: str = ""  # the path of files that were not copied
    files: list[ArtifactFile] = field(default_factory=list)


@dataclass(frozen=True)
class Version:
    manifest: Manifest
    folder: Path

    @property
    def files(self) -> Path:
        return Path(self.manifest.reference) if self.manifest.reference else self.folder / FILES


def log(
    source: Path,
    run_folder: Path,
    *,
    name: str,
    type: str,
    run_id: str,
    aliases: Sequence[str],
    metadata: Mapping[str, Any],
    copy: bool,
) -> Version:
    """Adds a version, or returns the latest one if it has the same files; it gets the aliases, too."""
    pairs = _pairs(source, run_folder)
    files = [ArtifactFile(relative, path.stat().st_size, copying.digest_of(path)) for path, relative in pairs]
    manifest = Manifest(name, 0, type, _digest(files), time.time(), run_id, list(aliases), dict(metadata), files=files)
    if not copy:
        manifest.reference = str(source.resolve())
    latest = max(versions(run_folder.parent, name), key=lambda each: each.manifest.version, default=None)
    if latest is not None and latest.manifest.digest == manifest.digest and latest.files.exists():
        return _with_aliases(latest, aliases, run_folder.parent)
    parent = run_folder / FOLDER / slug(name)
    parent.mkdir(parents=True, exist_ok=True)
    unfinished = parent / f".{os.getpid()}.{threading.get_ident()}.unfinished"
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir()
    try:
        if copy:
            copying.copy_files(pairs, unfinished / FILES, max_file_bytes=MAX_FILE_BYTES)
        return _publish(unfinished, manifest, run_folder)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def _publish(unfinished: Path, manifest: Manifest, run_folder: Path) -> Version:
    """Assigns the next number under a lock, so that two runs never get the same one."""
    with folder_lock.locked(run_folder.parent):
        known = [each.manifest.version for each in versions(run_folder.parent, manifest.name)]
        manifest.version = max(known, default=-1) + 1
        (unfinished / MANIFEST).write_bytes(_encode(manifest))
        folder = unfinished.with_name(f"v{manifest.version}")
        unfinished.rename(folder)
    return Version(manifest, folder)


def _with_aliases(version: Version, aliases: Sequence[str], root: Path) -> Version:
    path = version.folder / MANIFEST
    with folder_lock.locked(root):
        manifest = _read(path) or version.manifest
        if set(aliases) <= set(manifest.aliases):
            return version
        manifest.aliases = list(dict.fromkeys([*manifest.aliases, *aliases]))
        replace_file(path, _encode(manifest))
    return Version(manifest, version.folder)


def _encode(manifest: Manifest) -> bytes:
    return json.dumps({"schema": SCHEMA, **asdict(manifest)}, indent=1, ensure_ascii=False).encode()


def find(root: Path, wanted: str) -> Version:
    """Finds `name`, `name:latest`, `name:v3` or `name:alias` in all runs directly below `root`."""
    name, _, which = wanted.partition(":")
    known = sorted(versions(root, name), key=lambda each: each.manifest.version)
    matching = [each for each in known if which in ("", LATEST) or _matches(each.manifest, which)]
    if not matching:
        there = ", ".join(f"v{each.manifest.version}" for each in known) or "no version of it"
        raise NoSuchArtifactError(f"no artifact '{wanted}': there is {there} in the runs of this folder: '{root}'")
    found = matching[-1]
    missing = [file.path for file in found.manifest.files if not _is_complete(found, file)]
    if missing:
        raise NoSuchArtifactError(
            f"artifact '{name}:v{found.manifest.version}' has lost or changed {len(missing)} of its files, such as "
            f"'{missing[0]}': '{found.files}'"
        )
    return found


def versions(root: Path, name: str) -> Iterator[Version]:
    for path in root.glob(f"*/{FOLDER}/{_literal(slug(name))}/v*/{MANIFEST}"):
        manifest = _read(path)
        if manifest is not None and manifest.name == name:
            yield Version(manifest, path.parent)


def _read(path: Path) -> Manifest | None:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        if content.pop("schema") != SCHEMA:
            return None
        files = [ArtifactFile(**file) for file in content.pop("files")]
        return Manifest(**content, files=files)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None  # deleted meanwhile, or another file


def _pairs(source: Path, run_folder: Path) -> list[tuple[Path, str]]:
    if source.is_file():
        return [(source, source.name)]
    if not source.is_dir():
        raise CopyError(f"no such file or folder: '{source}'")
    pairs = list(copying.files_below(source, skipped=run_folder.resolve(), with_hidden=True))
    if len(pairs) > copying.MAX_FILES:
        raise CopyError(
            f"an artifact has at most {copying.MAX_FILES:,} files, got {len(pairs):,}; pack them: '{source}'"
        )
    for path, _ in pairs:
        if copying.EVENT_FILE_MARK in path.name or not path.is_file():
            raise CopyError(f"an artifact holds files, and no event files: '{path}'")
    return pairs


def _matches(manifest: Manifest, which: str) -> bool:
    number = _VERSION.fullmatch(which)
    return manifest.version == int(number[1]) if number else which in manifest.aliases


def _is_complete(version: Version, file: ArtifactFile) -> bool:
    # A reference to a single file is the path of that file.
    path = version.files if version.files.is_file() else version.files / copying.inside(file.path)
    try:
        return path.stat().st_size == file.bytes
    except OSError:
        return False


def _digest(files: Sequence[ArtifactFile]) -> str:
    hashed = hashlib.sha256()
    for file in sorted(files, key=lambda each: each.path):
        hashed.update(f"{file.path}\0{file.digest}\n".encode())
    return hashed.hexdigest()


def _literal(name: str) -> str:
    return re.sub(r"([\[?*])", r"[\1]", name)
