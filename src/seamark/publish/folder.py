"""The folder of a site: what lies in it, an earlier site there, and writing without a moment in which it is broken."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from seamark.format.seal import Sealer, unframe
from seamark.format.site_files import DATA, FORMAT, MANIFEST, NOBODY, Manifest, Part, SiteIndex, inflate
from seamark.publish.packs import DIGEST_BYTES, Memo, StoredBlob, StoredPack

# Written first: a folder with it is one that a publish began to fill.
MARK = ".seamark-site"
PACK_NAME = re.compile(r"[0-9a-f]{32}\.bin")
UNFINISHED = ".unfinished"


class ForeignFolderError(ValueError):
    """The folder holds files that are not of a site."""


@dataclass(frozen=True, slots=True)
class EarlierSite:
    """What lies in a folder already; empty if there is no earlier site, or it is damaged."""

    folder: SiteFolder
    sealer: Sealer
    packs: list[StoredPack] = field(default_factory=list)
    fingerprints: dict[str, str] = field(default_factory=dict)  # of the runs of which nothing is missing

    def read(self, pack: StoredPack, blob: StoredBlob) -> bytes:
        """The content of a blob, compressed as it was."""
        with self.folder.pack_path(pack.file).open("rb") as file:
            file.seek(blob.offset)
            return self.sealer.open(file.read(blob.length), pack.file, blob.offset)


class SiteFolder:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.manifest = self._read_manifest()

    def pack_path(self, file: str) -> Path:
        return self.path / DATA / f"{file}.bin"

    def earlier_site(self, sealer: Sealer) -> EarlierSite:
        """The packs of the earlier site that are complete."""
        if self.manifest is None or self.manifest.format != FORMAT:
            return EarlierSite(self, sealer)
        try:
            index = msgspec.json.decode(inflate(self._open_part(self.manifest.index, sealer)), type=SiteIndex)
            ledger = self._open_part(self.manifest.ledger, sealer)
            memo = Memo([], [], {})
            if self.manifest.memo is not None:
                memo = msgspec.json.decode(inflate(self._open_part(self.manifest.memo, sealer)), type=Memo)
        except (OSError, ValueError):
            return EarlierSite(self, sealer)
        packs, at = [], 0
        missing: set[str | None] = set()
        for pack in index.packs:
            blobs, offset = [], 0
            for entry in pack.entries:
                owner = None if entry.owner == NOBODY else index.owners[entry.owner]
                label = memo.labels[memo.label_of[at]] if memo.label_of else ""
                digest = ledger[at * DIGEST_BYTES : (at + 1) * DIGEST_BYTES]
                length = entry.length - sealer.overhead
                form = index.forms[entry.form]
                blobs.append(StoredBlob(owner, label, form, offset, entry.length, length, digest, entry.keys))
                offset += entry.length
                at += 1
            path = self.pack_path(pack.file)
            if path.is_file() and path.stat().st_size >= offset:
                packs.append(StoredPack(pack.file, blobs))
            else:
                missing |= {blob.owner for blob in blobs if blob.keys}
        known = {run: fingerprint for run, fingerprint in memo.fingerprints.items() if run not in missing}
        return EarlierSite(self, sealer, packs, known)

    def begin(self) -> None:
        self.path.mkdir(parents=True, exist_ok=True)
        self.write(MARK, b"This folder is written by seamark publish.\n")

    def write(self, name: str, content: bytes) -> bool:
        """Writes a file unless it is there with the same content. Returns whether it was written."""
        path = self.path / name
        if path.is_file() and path.stat().st_size == len(content) and path.read_bytes() == content:
            return False
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_name(f".{path.name}.{os.getpid()}{UNFINISHED}")
        try:
            unfinished.write_bytes(content)
            unfinished.replace(path)
        finally:
            unfinished.unlink(missing_ok=True)
        return True

    def write_manifest(self, manifest: Manifest) -> None:
        self.write(MANIFEST, msgspec.json.format(msgspec.json.encode(manifest), indent=2) + b"\n")

    def remove_others(self, names: Collection[str]) -> int:
        """Removes files of earlier sites, and of a publish that was killed. Foreign files stay."""
        data = [path for path in (self.path / DATA).glob("*") if PACK_NAME.fullmatch(path.name)]
        unfinished = [path for path in (self.path / DATA).glob(".*") if path.name.endswith(UNFINISHED)]
        page = [self.path / name for name in (self.manifest.page if self.manifest else []) if is_page_file(name)]
        removed = 0
        for path in [*data, *unfinished, *page]:
            if path.relative_to(self.path).as_posix() not in names and path.is_file():
                path.unlink()
                removed += 1
        return removed

    def _open_part(self, part: Part, sealer: Sealer) -> bytes:
        assert self.manifest is not None
        with self.pack_path(self.manifest.file).open("rb") as file:
            file.seek(part.offset)
            return unframe(sealer.open(file.read(part.length), self.manifest.file, part.offset))

    def _read_manifest(self) -> Manifest | None:
        """None for a folder that is empty or missing. Raises ForeignFolderError."""
        if not self.path.exists():
            return None
        if not self.path.is_dir():
            raise ForeignFolderError(f"a site needs a folder, got a file: '{self.path}'")
        try:
            text = (self.path / MANIFEST).read_bytes()
            if json.loads(text).get("format", "").startswith("seamark-site/"):
                return msgspec.json.decode(text, type=Manifest)
        except (OSError, ValueError, AttributeError):
            pass
        if not (self.path / MARK).is_file() and any(self.path.iterdir()):
            raise ForeignFolderError(
                "this folder has other files and no earlier site, so nothing is written into it; name an empty or a"
                f" new folder with -o: '{self.path}'"
            )
        return None


def is_page_file(name: str) -> bool:
    """A manifest could have been changed by anybody: no name leads out of the folder."""
    return re.fullmatch(r"(assets/)?[\w-][\w.-]*", name) is not None
