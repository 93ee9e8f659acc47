"""Copies of buckets. obstore reads a folder through the same interface as a bucket, so that no server is needed."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from seamark import SummaryWriter
from seamark.format.bucket_address import is_bucket, parse_bucket
from seamark.format.types import RunName, Tag
from seamark.store import LogRoot, PayloadAwayError, Store
from seamark.store.buckets import ranges
from seamark.store.buckets.bring import COMPARED_BYTES
from seamark.store.buckets.copy import BucketCopy, is_safe
from seamark.store.buckets.holes import punch
from seamark.store.buckets.manifest import FILE_NAME
from seamark.store.buckets.objects import BucketError, ObjectInfo, Objects
from seamark.store.runs.removal import RemovalError, plan_removal
from seamark.store.test_support import has_steps, wait_until

pytest.importorskip("obstore")


@pytest.fixture
def bucket(tmp_path: Path) -> Path:
    folder = tmp_path / "bucket"
    folder.mkdir()
    return folder


@pytest.fixture
def copy(tmp_path: Path, bucket: Path) -> BucketCopy:
    return BucketCopy(f"file://{bucket}", tmp_path / "copy", reload_secs=0)


def log(folder: Path, run: str, *steps: int) -> None:
    with SummaryWriter(str(folder / run)) as writer:
        for step in steps:
            writer.add_scalar("loss", float(step), step)


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.startswith(FILE_NAME)
    }


def test_copies_every_file(tmp_path: Path, bucket: Path, copy: BucketCopy) -> None:
    log(bucket, "a", 1, 2)
    (bucket / "a" / "run.json").write_text("{}")
    copy.update()
    assert copy.problems() == []
    assert contents(tmp_path / "copy") == contents(bucket)


def test_fetches_only_what_is_new(
    tmp_path: Path, bucket: Path, copy: BucketCopy, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = os.urandom(1_000_000)
    file = bucket / "events.out.tfevents.1"
    file.write_bytes(old)
    copy.update()
    read: list[tuple[int, int]] = []
    whole = Objects.read

    def counted(self: Objects, wanted: ObjectInfo, start: int, stop: int) -> bytes:
        read.append((start, stop))
        return whole(self, wanted, start, stop)

    monkeypatch.setattr(Objects, "read", counted)
    copy.update()
    assert read == []
    inode = (tmp_path / "copy" / file.name).stat().st_ino
    file.write_bytes(old + b"more")
    copy.update()
    assert read == [(1_000_000 - COMPARED_BYTES, 1_000_000), (1_000_000, 1_000_004)]
    assert (tmp_path / "copy" / file.name).read_bytes() == old + b"more"
    assert (tmp_path / "copy" / file.name).stat().st_ino == inode


def test_replaces_what_was_rewritten(tmp_path: Path, bucket: Path, copy: BucketCopy) -> None:
    file = bucket / "events.out.tfevents.1"
    file.write_bytes(b"first version")
    copy.update()
    file.write_bytes(b"another one, longer")
    copy.update()
    assert contents(tmp_path / "copy") == contents(bucket)


def test_removes_what_is_gone(tmp_path: Path, bucket: Path, copy: BucketCopy) -> None:
    log(bucket, "a", 1)
    log(bucket, "b", 1)
    copy.update()
    for file in (bucket / "a").iterdir():
        file.unlink()
    copy.update()
    assert [path.split("/")[0] for path in contents(tmp_path / "copy")] == ["b"]


def test_keeps_the_copy_while_the_bucket_is_away(
    tmp_path: Path, bucket: Path, copy: BucketCopy, monkeypatch: pytest.MonkeyPatch
) -> None:
    log(bucket, "a", 1, 2)
    copy.update()
    before = contents(tmp_path / "copy")

    monkeypatch.setattr(Objects, "pages", refuse)
    copy.update()
    (problem,) = copy.problems()
    assert problem.message.startswith(
        "the bucket cannot be read (it does not answer): 's3://b'; shown is what it had at"
    )
    assert contents(tmp_path / "copy") == before


def test_a_store_reads_the_copy(tmp_path: Path, bucket: Path) -> None:
    log(bucket, "a", 1, 2, 3)
    root = LogRoot("", tmp_path / "copy", f"file://{bucket}")
    with Store([root], index_dir=tmp_path / "index", follow=False) as store:
        assert store.wait_loaded(30)
        assert [run.name for run in store.runs()] == ["a"]
        assert store.scalars("a", "loss").step.tolist() == [1, 2, 3]


@pytest.mark.parametrize(
    "key", ["", "../a", "a/../b", "/a", "a//b", "a\0b", "x" * 300, ".seamark-trash/a", f"a/{FILE_NAME}-wal"]
)
def test_a_key_that_leads_elsewhere_is_not_copied(key: str) -> None:
    assert not is_safe(key)


def test_addresses() -> None:
    assert is_bucket("s3://b/prefix")
    assert not is_bucket("runs")
    assert parse_bucket("S3://b/prefix/") == "s3://b/prefix"
    with pytest.raises(ValueError, match="no bucket in the address"):
        parse_bucket("s3:///x")
    with pytest.raises(ValueError, match="environment variables") as found:
        parse_bucket("s3://key:very-secret@b/x")
    assert "secret" not in str(found.value)


def test_runs_of_a_bucket_are_not_removed(tmp_path: Path, bucket: Path, copy: BucketCopy) -> None:
    log(bucket, "a", 1)
    copy.update()
    root = LogRoot("", tmp_path / "copy", "s3://bucket/logs")
    with pytest.raises(RemovalError, match="remove them there: 's3://bucket/logs'"):
        plan_removal([tmp_path / "copy" / "a"], roots=[root], others=[])


def test_gives_the_content_of_read_files_back_and_fetches_what_is_shown(
    tmp_path: Path, bucket: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    noise = np.random.default_rng(0).integers(0, 255, (5, 200, 200, 3), dtype=np.uint8)
    with SummaryWriter(str(bucket / "a")) as writer:
        for step, image in enumerate(noise):
            writer.add_image("noise", image, step, dataformats="HWC")
            writer.add_scalar("loss", float(step), step)
    monkeypatch.setattr(ranges, "LIMIT_BYTES", 0)
    root = LogRoot("", tmp_path / "copy", f"file://{bucket}")
    (file,) = (bucket / "a").iterdir()
    with Store([root], index_dir=tmp_path / "index", reload_secs=0.05) as store:
        wait_until(store, lambda: has_steps(store, [0, 1, 2, 3, 4], RunName("a"), Tag("loss")))
        expected = [store.payload("a", "noise", "images", index) for index in range(5)]
        copied = tmp_path / "copy" / "a" / file.name
        wait_until(store, lambda: copied.stat().st_blocks * 512 < file.stat().st_size / 2)
        assert [store.payload("a", "noise", "images", index) for index in range(5)] == expected
        assert store.problems() == []
    # The points come from the index, although most of the file is not here.
    monkeypatch.setattr(Objects, "pages", refuse)
    assert punch(str(copied))
    with Store([root], index_dir=tmp_path / "index", reload_secs=0.05) as store:
        wait_until(store, lambda: has_steps(store, [0, 1, 2, 3, 4], RunName("a"), Tag("loss")))
        monkeypatch.setattr(Objects, "read", refuse)
        with pytest.raises(PayloadAwayError, match="it does not answer"):
            store.payload("a", "noise", "images", 2)


def test_a_copy_that_is_known_to_be_small_is_not_looked_at(
    bucket: Path, copy: BucketCopy, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[list[str]] = []
    monkeypatch.setattr(ranges.CopiedRanges, "_used", lambda self, keys: looked.append(list(keys)) or [])
    log(bucket, "a", 1)
    copy.update()
    assert looked == []
    monkeypatch.setattr(ranges, "LIMIT_BYTES", 1000)
    copy.update()
    assert [len(keys) for keys in looked] == [1]


def refuse(self: Objects, *_: object) -> object:
    raise BucketError("the bucket cannot be read (it does not answer): 's3://b'")
