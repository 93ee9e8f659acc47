"""Names and cuts of the parts of event files. tests/buckets/test_writing.py sends them to a real server."""

from __future__ import annotations

from pathlib import Path

import pytest

from seamark import SummaryWriter, _core
from seamark.store.discover.file_name import order_key, writer_of
from seamark.upload.bucket_parts import Progress, next_part, part_name


def test_parts_sort_by_name_and_by_number() -> None:
    name = "events.out.tfevents.1700000000.host.7.3"
    parts = [part_name(name, number) for number in (0, 1, 2, 10, 100_000)]
    assert sorted(parts) == parts
    assert sorted(parts, key=order_key) == parts


@pytest.mark.parametrize("suffix", ["", ".rank1", "-v2"])
def test_parts_are_of_the_same_writer_as_the_file(suffix: str) -> None:
    name = f"events.out.tfevents.1700000000.host.name.7.3{suffix}"
    assert writer_of(part_name(name, 12)) == writer_of(name)


def test_parts_of_two_files_of_a_process_differ() -> None:
    first, second = "a/events.out.tfevents.1700000000.host.7.0", "a/events.out.tfevents.1700000000.host.7.1"
    names = {part_name(name, number) for name in (first, second) for number in range(20)}
    assert len(names) == 40
    assert all(name.startswith("a/events.out.tfevents.") for name in names)


def test_parts_are_whole_records_and_leave_nothing_out(tmp_path: Path) -> None:
    with SummaryWriter(str(tmp_path)) as writer:
        for step in range(200):
            writer.add_scalar("loss", float(step), step)
        writer.add_text("long", "x" * 5000, 1)
    (path,) = tmp_path.iterdir()
    whole = path.read_bytes()
    path.write_bytes(whole + b"\x01\x02\x03")  # the end of a program that was killed
    parts, offset = [], 0
    while part := next_part(path, offset, 1000):
        assert _core.record_ends(part)[-1] == len(part)
        parts.append(part)
        offset += len(part)
    assert b"".join(parts) == whole
    assert len(parts) > 5


def test_progress_survives_the_process(tmp_path: Path) -> None:
    progress = Progress(tmp_path)
    progress.of("a").offset, progress.of("a").parts = 10, 1
    progress.save()
    assert (Progress(tmp_path).of("a").offset, Progress(tmp_path).of("a").parts) == (10, 1)
    assert Progress(tmp_path).of("b").offset == 0


def test_damaged_progress_counts_as_none(tmp_path: Path) -> None:
    progress = Progress(tmp_path)
    progress.save()
    (file,) = tmp_path.iterdir()
    file.write_text("{broken")
    assert Progress(tmp_path).of("a").offset == 0
