"""Runs whose data did not change since the earlier publish: what is stored of them is used again.

A fingerprint is made of everything that a run's data are made of: the names, sizes and times of the files in its
folder, the files in the folders above it, what the page saved about it, and what the publish was told to do.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

import seamark
from seamark.format.types import RunName
from seamark.publish.blobs import Spool
from seamark.publish.folder import EarlierSite
from seamark.store import LogRoot, RunInfo

Fingerprints = dict[str, str]


def make_fingerprints(
    runs: Sequence[RunInfo],
    roots: Sequence[LogRoot],
    *,
    notes: Mapping[str, Mapping[str, Any]],
    listed: Mapping[str, object],
    parts: Sequence[str],
    tags: Sequence[str],
) -> Fingerprints:
    """`listed` is what the list of runs says of each, `parts` what is left out or added.

    `tags` are those that runs are compared by.
    """
    folders = [root.path for root in roots]
    shown = [str(folder) for folder in folders]
    common = [seamark.__version__, list(parts), shown, len(runs) > 1, list(tags)]
    found: Fingerprints = {}
    for info in runs:
        above = [direct_files(folder) for folder in folders_above(info.path, folders)]
        inputs = [common, listed.get(info.name), notes.get(info.name), above, list(files_below(info.path))]
        content = msgspec.json.encode(inputs, order="deterministic")
        found[info.name] = hashlib.sha256(content).hexdigest()[:32]
    return found


def folders_above(folder: Path, roots: Sequence[Path]) -> list[Path]:
    """A run may take its parameters from a folder above it."""
    root = next((root for root in roots if folder.is_relative_to(root)), folder)
    return [above for above in folder.parents if above.is_relative_to(root)]


@cache
def direct_files(folder: Path) -> tuple[tuple[str, int, int], ...]:
    return tuple(sorted(files_of(folder)))


def files_of(folder: Path) -> Iterator[tuple[str, int, int]]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_file():
                stat = entry.stat()
                yield os.fsencode(entry.name).hex(), stat.st_size, stat.st_mtime_ns


def files_below(folder: Path) -> Iterator[object]:
    """In a fixed order. Runs below a run count as its own files: what it shows may include them."""
    for path, folders, _ in os.walk(folder):
        folders.sort()
        yield os.fsencode(os.path.relpath(path, folder)).hex(), sorted(files_of(Path(path)))


def reuse_unchanged(spool: Spool, earlier: EarlierSite, fingerprints: Fingerprints) -> frozenset[RunName]:
    """Adds what the earlier site has of unchanged runs to the spool. Returns these runs."""
    same = {run for run, fingerprint in fingerprints.items() if earlier.fingerprints.get(run) == fingerprint}
    for pack in earlier.packs:
        for blob in pack.blobs:
            if blob.owner in same and blob.keys:
                spool.reuse(blob, lambda pack=pack, blob=blob: earlier.read(pack, blob))  # type: ignore[misc]
    return frozenset(RunName(run) for run in same)
