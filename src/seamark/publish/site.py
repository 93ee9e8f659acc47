"""Publishes runs as a static site: gathers, measures, and writes what changed."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from seamark.format.seal import Sealer
from seamark.format.site_files import DATA, FORMAT, NOBODY, Entry, Form, Manifest, Pack, Part, SiteIndex, deflate
from seamark.publish.blobs import Blob, Spool
from seamark.publish.folder import EarlierSite
from seamark.publish.packs import Memo, PackPlan, StoredBlob, pack_digest, plan_packs, short
from seamark.publish.page_files import page_files

PAGE = "the page itself"


@dataclass(frozen=True, slots=True)
class SiteSize:
    """Bytes by what they are of, the largest first."""

    by_label: list[tuple[str, int]]

    @property
    def total(self) -> int:
        return sum(size for _, size in self.by_label)


@dataclass(frozen=True, slots=True)
class Written:
    """Numbers of files."""

    written: int
    kept: int
    removed: int


class SitePlan:
    """What a publish would write, before it writes."""

    def __init__(
        self, spool: Spool, earlier: EarlierSite, *, title: str, fingerprints: Mapping[str, str] | None = None
    ) -> None:
        """`fingerprints` are those of the runs, for the next publish."""
        self._spool, self._title, self._fingerprints = spool, title, dict(fingerprints or {})
        self._folder, sealer = earlier.folder, earlier.sealer
        self._sealer: Sealer = sealer
        self._blobs = list(spool)
        self._packs: PackPlan = plan_packs(self._blobs, earlier.packs, sealer)
        # Of an encrypted site, even the title is in the index.
        self._page = list(page_files(title if sealer.encryption is None else "Seamark"))

    def size(self) -> SiteSize:
        sizes: Counter[str] = Counter()
        for blob in self._blobs:
            sizes[blob.label] += blob.length + self._sealer.overhead
        sizes[PAGE] += sum(len(content) for _, content in self._page)
        return SiteSize(sizes.most_common())

    def write(self, *, now: float | None = None) -> Written:
        """A page that is open meanwhile, or a publish that is killed, finds the earlier site complete."""
        folder = self._folder
        folder.begin()
        index = IndexBuilder(self._blobs)
        names, written = set[str](), 0
        for stored in self._packs.kept:
            index.add_kept(stored.file, stored.blobs)
            names.add(f"{DATA}/{stored.file}.bin")
        for blobs in self._packs.new:
            file, content, lengths = self._packed([self._spool.read(blob) for blob in blobs])
            index.add_new(file, blobs, lengths)
            names.add(f"{DATA}/{file}.bin")
            written += folder.write(f"{DATA}/{file}.bin", content)
        site = index.build(time.time() if now is None else now, self._title)
        memo = deflate(msgspec.json.encode(index.memo(self._fingerprints)))
        parts = [deflate(msgspec.json.encode(site)), index.ledger, memo]
        file, content, lengths = self._packed([self._sealer.framed(part) for part in parts])
        names.add(f"{DATA}/{file}.bin")
        written += folder.write(f"{DATA}/{file}.bin", content)
        for name, page in self._page:
            names.add(name)
            written += folder.write(name, page)
        offsets = [sum(lengths[:at]) for at in range(len(lengths))]
        where = [Part(offset, length) for offset, length in zip(offsets, lengths, strict=True)]
        page_names = [name for name, _ in self._page]
        folder.write_manifest(Manifest(FORMAT, file, where[0], where[1], page_names, self._sealer.encryption, where[2]))
        return Written(written + 1, len(names) - written, folder.remove_others(names))

    def _packed(self, contents: Sequence[bytes]) -> tuple[str, bytes, list[int]]:
        """The name of a pack, its content, and the length of each blob in it."""
        file = self._sealer.file_name(pack_digest(contents))
        parts: list[bytes] = []
        size = 0
        for content in contents:
            parts.append(self._sealer.seal(content, file, size))
            size += len(parts[-1])
        return file, b"".join([*parts, self._sealer.padding(size, file)]), [len(part) for part in parts]


class IndexBuilder:
    def __init__(self, blobs: Iterable[Blob]) -> None:
        self._by_digest = {(blob.owner, short(blob.digest)): blob for blob in blobs}
        self._owners: dict[str, int] = {}
        self._forms: dict[Form, int] = {}
        self._packs: list[Pack] = []
        self._digests: list[bytes] = []
        self._labels: dict[str, int] = {}
        self._label_of: list[int] = []

    def memo(self, fingerprints: Mapping[str, str]) -> Memo:
        return Memo(list(self._labels), self._label_of, dict(fingerprints))

    @property
    def ledger(self) -> bytes:
        return b"".join(self._digests)

    def add_kept(self, file: str, stored: Sequence[StoredBlob]) -> None:
        entries = []
        for one in stored:
            blob = self._by_digest.get((one.owner, one.digest))
            entries.append(self._entry(one.owner, one.form, one.length, blob.keys if blob else []))
            self._remember(one.digest, blob.label if blob else "")
        self._packs.append(Pack(file, entries))

    def add_new(self, file: str, blobs: Sequence[Blob], lengths: Sequence[int]) -> None:
        entries = []
        for blob, length in zip(blobs, lengths, strict=True):
            entries.append(self._entry(blob.owner, blob.form, length, blob.keys))
            self._remember(short(blob.digest), blob.label)
        self._packs.append(Pack(file, entries))

    def build(self, published: float, title: str) -> SiteIndex:
        return SiteIndex(published, title, list(self._owners), list(self._forms), self._packs)

    def _remember(self, digest: bytes, label: str) -> None:
        self._digests.append(digest)
        self._label_of.append(self._labels.setdefault(label, len(self._labels)))

    def _entry(self, owner: str | None, form: Form, length: int, keys: list[str]) -> Entry:
        owner_index = NOBODY if owner is None else self._owners.setdefault(owner, len(self._owners))
        return Entry(owner_index, self._forms.setdefault(form, len(self._forms)), length, keys)
