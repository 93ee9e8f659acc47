"""Packs: the data files of a site. Each holds many blobs one after the other, and is named by its content.

A second publish leaves the packs of the first alone as far as it can: what is new goes into new packs. A pack is
written again if it holds anything that must not stay, or mostly what is no longer used.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from msgspec import Struct

from seamark.format.seal import Sealer
from seamark.format.site_files import Form
from seamark.publish.blobs import Blob

# A host that ignores ranges sends whole files: they stay small enough for that.
TARGET_BYTES = 4 << 20
MAX_UNUSED_SHARE = 0.5
DIGEST_BYTES = 16


class Memo(Struct, frozen=True):
    """What the next publish needs to know, and the page does not."""

    labels: list[str]
    label_of: list[int]  # of each blob, in the order of the ledger
    fingerprints: dict[str, str]  # by run


@dataclass(frozen=True, slots=True)
class StoredBlob:
    owner: str | None
    label: str
    form: Form
    offset: int
    length: int
    content_length: int  # without what encryption adds
    digest: bytes
    keys: list[str]


@dataclass(frozen=True, slots=True)
class StoredPack:
    """A pack of the earlier site."""

    file: str
    blobs: list[StoredBlob]


@dataclass(frozen=True, slots=True)
class PackPlan:
    kept: list[StoredPack]
    new: list[list[Blob]]


def plan_packs(blobs: Collection[Blob], earlier: Iterable[StoredPack], sealer: Sealer) -> PackPlan:
    runs = {blob.owner for blob in blobs if blob.owner is not None}
    wanted = {(blob.owner, short(blob.digest)): blob for blob in blobs}
    kept: list[StoredPack] = []
    for pack in earlier:
        used = [blob for blob in pack.blobs if (blob.owner, blob.digest) in wanted]
        if used and may_stay(pack, used, runs):
            kept.append(pack)
            for blob in used:
                del wanted[blob.owner, blob.digest]
    rest = sorted(wanted.values(), key=lambda blob: (blob.owner is not None, blob.order, blob.owner or ""))
    return PackPlan(kept, list(split(rest, sealer.overhead)))


def may_stay(pack: StoredPack, used: Sequence[StoredBlob], runs: Collection[str]) -> bool:
    """Old data of a run may stay beside the new; of a run that is no longer published, and old lists, nothing may."""
    kept = {id(blob) for blob in used}
    unused = [blob for blob in pack.blobs if id(blob) not in kept]
    if any(blob.owner is None or blob.owner not in runs for blob in unused):
        return False
    return sum(blob.length for blob in unused) <= MAX_UNUSED_SHARE * sum(blob.length for blob in pack.blobs)


def split(blobs: Iterable[Blob], overhead: int) -> Iterator[list[Blob]]:
    """Packs of about TARGET_BYTES. What belongs to no run is in packs of its own."""
    pack: list[Blob] = []
    size = 0
    for blob in blobs:
        is_full = (
            size + blob.length > TARGET_BYTES or (pack[0].owner is None) != (blob.owner is None) if pack else False
        )
        if is_full:
            yield pack
            pack, size = [], 0
        pack.append(blob)
        size += blob.length + overhead
    if pack:
        yield pack


def pack_digest(contents: Iterable[bytes]) -> bytes:
    """Of the contents and where each of them ends."""
    hashed = hashlib.sha256()
    for content in contents:
        hashed.update(len(content).to_bytes(8, "little"))
        hashed.update(content)
    return hashed.digest()


def short(digest: bytes) -> bytes:
    return digest[:DIGEST_BYTES]
