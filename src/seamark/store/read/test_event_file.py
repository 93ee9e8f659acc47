"""Tests of reading one event file as it grows, breaks and is replaced."""

import os
from pathlib import Path
from typing import Any

import pytest

from seamark import _core
from seamark._core import FileReader, SeriesView
from seamark.store import LogRoot
from seamark.store.discover.run_folder import RunFolder
from seamark.store.discover.walk import Identity
from seamark.store.read import event_file as event_file_module
from seamark.store.read.event_file import EventFile, Outcome, Visit
from seamark.store.read.file_state import UNREAD
from seamark.store.read.stripes import Part, part_of
from seamark.store.runs.problems import file_problems
from seamark.store.test_support import EVENTS, START_WALL, append, curve, file_start, scalar_bytes

LONG_AGO_NS = 1_000_000_000_000_000_000


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / EVENTS


def event_file(path: Path) -> EventFile:
    return EventFile(RunFolder(LogRoot("", path.parent), ""), path.name)


def visit(file: EventFile, *, budget_bytes: int = 1 << 30, block_bytes: int = 4096) -> Visit:
    return file.visit(FileReader(block_bytes), budget_bytes=budget_bytes)


def steps(file: EventFile, series_id: int = 0) -> list[int]:
    view = SeriesView([(stripe, series_id) for stripe in file.stripes(file.state)])
    return [int(step) for step in view.columns(all_attempts=True)[0]]


def test_a_record_split_across_two_visits_is_read_once(path: Path) -> None:
    data = file_start() + scalar_bytes("loss", curve(0, 3))
    for cut in range(len(data)):
        path.write_bytes(data[:cut])
        file = event_file(path)
        visit(file)
        path.write_bytes(data)  # the same beginning: only the rest is new
        assert not visit(file).was_reset
        assert steps(file) == [0, 1, 2]
        assert file.state.problem_count == 0


def test_an_unread_file_is_opened_by_the_core(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    append(path, file_start() + scalar_bytes("loss", curve(0, 3)))
    file = event_file(path)
    with monkeypatch.context() as patch:
        patch.setattr(event_file_module.os, "open", None)
        patch.setattr(event_file_module, "RACY_NS", 1 << 60)
        first = visit(file)
    assert (first.outcome, steps(file), first.size) == (Outcome.CAUGHT_UP, [0, 1, 2], path.stat().st_size)
    assert file.state.identity[:3] == Identity.of(path.stat())[:3]
    assert file.state.identity.mtime_ns == 0, "it may change again within the same modification time"
    os.utime(path, ns=(LONG_AGO_NS, LONG_AGO_NS))
    other = event_file(path)
    visit(other)
    assert other.state.identity == Identity.of(path.stat())


def test_growth_is_read_from_where_the_last_visit_ended(path: Path) -> None:
    append(path, file_start() + scalar_bytes("loss", curve(0, 300)))
    file = event_file(path)
    visit(file)
    append(path, scalar_bytes("loss", curve(300, 302)) + scalar_bytes("new tag", curve(0, 2)))
    second = visit(file)
    assert sum(part.scalar_rows for part in second.parts) == 4
    assert steps(file) == list(range(302))
    assert steps(file, 1) == [0, 1]
    assert [tag for tag, _, _ in file.state.table.entries] == [b"loss", b"new tag"]


def test_the_first_wall_time_is_that_of_the_first_event(path: Path) -> None:
    data = file_start() + scalar_bytes("loss", [(9, 1.0), (-5, 1.0)])
    file = event_file(path)
    for size in range(len(data) + 1):
        path.write_bytes(data[:size])
        visit(file)
        assert file.state.first_wall == (START_WALL if size >= len(file_start()) else None)
    assert file.state.last_wall == START_WALL + 9


def test_a_file_read_while_it_is_overwritten_is_reread(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The reader overtakes the program that overwrites the file, and is overtaken: old records between new ones."""
    monkeypatch.setattr(event_file_module, "REREAD_SECS", 0.0)
    old = file_start() + scalar_bytes("old", curve(0, 3000))
    new = _core.encode_file_version(START_WALL + 1) + scalar_bytes("new", curve(0, 3000))
    assert len(old) == len(new), "records of both begin at the same positions"
    path.write_bytes(old)
    file = event_file(path)
    visit(file)
    with path.open("r+b") as stream:
        stream.write(new[: len(new) // 4])

    class Overtaken(FileReader):
        def read(self, fd: int, scanner: Any, start: int, size: int, budget: int) -> Any:
            position, _, stripes, (head, _) = super().read(fd, scanner, start, size, size // 2)
            with path.open("r+b") as stream:
                stream.write(new)
            position, has_more, more, (_, tail) = super().read(fd, scanner, position, size, budget)
            return position, has_more, [*stripes, *more], (head, tail)

    assert file.visit(Overtaken(4096), budget_bytes=1 << 30).was_reset
    assert [tag for tag, _, _ in file.state.table.entries] == [b"new", b"old"], "mixed"
    assert file.state.identity.mtime_ns == 0, "the next poll visits it"
    assert visit(file).was_reset
    assert [tag for tag, _, _ in file.state.table.entries] == [b"new"] and steps(file) == list(range(3000))
    assert not visit(file).was_reset, "once is enough"


def test_data_read_while_the_content_is_discarded_is_dropped(path: Path) -> None:
    append(path, file_start() + scalar_bytes("loss", curve(0, 3)))
    file = event_file(path)
    seed = ((b"other", _core.FORM_SCALAR, b""),)

    class Forgetting(FileReader):
        def open_and_read(self, *args: Any) -> Any:
            file.content.forget(seed)
            return super().open_and_read(*args)

    voided = file.visit(Forgetting(4096), budget_bytes=1 << 30)
    assert (voided.outcome, voided.parts, file.state.consumed) == (Outcome.MORE, [], 0)
    assert visit(file).outcome is Outcome.CAUGHT_UP
    assert (file.state.seed, steps(file, 1)) == (seed, [0, 1, 2])


def test_a_pipe_that_replaces_a_file_does_not_block(path: Path) -> None:
    append(path, file_start() + scalar_bytes("loss", curve(0, 3)))
    file = event_file(path)
    visit(file)
    path.unlink()
    os.mkfifo(path)
    assert visit(file).was_reset


def test_a_large_file_is_read_in_slices_and_unfinished_until_the_last(path: Path) -> None:
    append(path, file_start() + scalar_bytes("loss", curve(0, 1000)))
    file = event_file(path)
    first = visit(file, budget_bytes=8192)
    assert first.outcome is Outcome.MORE
    assert steps(file) == list(range(len(steps(file))))
    assert file.state.identity.size == UNREAD.size
    while visit(file, budget_bytes=8192).outcome is Outcome.MORE:
        pass
    assert steps(file) == list(range(1000))
    assert file.state.identity.size == path.stat().st_size


def test_a_record_bigger_than_the_buffer_is_read_whole(path: Path) -> None:
    long_tag = "x" * 100_000
    append(path, file_start() + scalar_bytes(long_tag, [(7, 1.0)]) + scalar_bytes("loss", curve(0, 3)))
    file = event_file(path)
    assert visit(file, block_bytes=1024).outcome is Outcome.CAUGHT_UP
    assert (steps(file, 0), steps(file, 1)) == ([7], [0, 1, 2])


def test_an_incomplete_record_is_read_once_it_is_complete(path: Path) -> None:
    whole = scalar_bytes("x" * 100_000, [(7, 1.0)])
    append(path, file_start() + whole[:50_000])
    file = event_file(path)
    assert visit(file, block_bytes=1024).outcome is Outcome.CAUGHT_UP
    assert file.state.parts == ()
    append(path, whole[50_000:])
    visit(file, block_bytes=1024)
    assert steps(file) == [7]


def test_a_truncated_file_is_read_again(path: Path) -> None:
    start, points = file_start(), scalar_bytes("loss", curve(0, 10))
    append(path, start + points)
    file = event_file(path)
    visit(file)
    path.write_bytes(start + points[: len(points) // 2])
    assert visit(file).was_reset
    assert steps(file) == [0, 1, 2, 3, 4]


def test_a_replaced_file_is_reread_from_the_start(path: Path) -> None:
    append(path, file_start() + scalar_bytes("loss", curve(0, 3)))
    file = event_file(path)
    visit(file)
    other = path.with_name("other")
    append(other, file_start() + scalar_bytes("loss", curve(100, 110)))
    other.replace(path)
    assert visit(file).was_reset
    assert steps(file) == list(range(100, 110))


@pytest.mark.parametrize("changed_at", ["head", "tail"])
def test_a_file_rewritten_in_place_with_the_same_size_is_reread_from_the_start(path: Path, changed_at: str) -> None:
    before, after = curve(0, 1000), curve(0, 1000)
    position = 0 if changed_at == "head" else -1
    after[position] = (after[position][0], 77.0)
    path.write_bytes(file_start() + scalar_bytes("loss", before))
    file = event_file(path)
    visit(file)
    with path.open("r+b") as stream:
        stream.write(file_start() + scalar_bytes("loss", after))
    assert visit(file).was_reset
    (stripe,) = file.stripes(file.state)
    assert float(stripe.scalars()[2][position]) == 77.0


def test_a_wrong_length_checksum_ends_the_file_and_is_reported_once(path: Path) -> None:
    good, broken = scalar_bytes("loss", curve(0, 3)), bytearray(scalar_bytes("loss", [(3, 3.0)]))
    broken[9] ^= 1
    append(path, file_start() + good + broken)
    file = event_file(path)
    for _ in range(3):
        visit(file)
        append(path, scalar_bytes("loss", [(4, 4.0)]))
    assert steps(file) == [0, 1, 2]
    (problem,) = file_problems(file)
    assert problem.offset == len(file_start() + good)
    assert f"at byte {problem.offset}; the rest of the file is skipped: '{path}'" in problem.message


def test_a_damaged_record_is_skipped_and_the_next_one_read(path: Path) -> None:
    damaged = bytearray(scalar_bytes("loss", [(1, 1.0)]))
    damaged[-6] ^= 1
    append(path, file_start() + scalar_bytes("loss", [(0, 0.0)]) + damaged + scalar_bytes("loss", [(2, 2.0)]))
    file = event_file(path)
    visit(file)
    assert steps(file) == [0, 2]
    assert "is skipped" in file_problems(file)[0].message
    append(path, scalar_bytes("loss", [(3, 3.0)]))
    visit(file)
    assert file.state.problem_count == len(file_problems(file)) == 1


def test_an_invalid_event_is_reported(path: Path) -> None:
    append(path, file_start() + _core.frame(b"\xff\xff\xff") + scalar_bytes("loss", [(0, 0.0)]))
    file = event_file(path)
    visit(file)
    assert steps(file) == [0]
    assert "not a valid event message" in file_problems(file)[0].message


def test_a_removed_file_keeps_its_content(path: Path) -> None:
    append(path, file_start() + scalar_bytes("loss", curve(0, 3)))
    file = event_file(path)
    visit(file)
    path.unlink()
    assert visit(file).outcome is Outcome.GONE
    assert steps(file) == [0, 1, 2]


def test_a_file_that_cannot_be_read_is_a_problem_until_it_can(path: Path) -> None:
    path.mkdir()
    file = event_file(path)
    assert visit(file).outcome is Outcome.UNREADABLE
    assert "cannot be read (Is a directory)" in file_problems(file)[0].message
    path.rmdir()
    append(path, file_start() + scalar_bytes("loss", curve(0, 3)))
    visit(file)
    assert (steps(file), file_problems(file)) == ([0, 1, 2], [])


def test_rows_read_while_the_committer_writes_are_neither_lost_nor_duplicated(path: Path) -> None:
    append(path, file_start() + scalar_bytes("loss", curve(0, 3)))
    file = event_file(path)
    visit(file)
    generation, sealed = file.content.seal()
    append(path, scalar_bytes("loss", curve(3, 6)))
    visit(file)
    moved = [part_of(bytes_of(part)) for part in sealed.parts]
    assert file.content.unseal(generation, sealed, moved)
    assert steps(file) == [0, 1, 2, 3, 4, 5]
    assert file.state.parts[0] is moved[0]


def test_parts_written_of_a_file_replaced_meanwhile_are_dropped(path: Path) -> None:
    append(path, file_start() + scalar_bytes("loss", curve(0, 3)))
    file = event_file(path)
    visit(file)
    generation, sealed = file.content.seal()
    path.write_bytes(file_start() + scalar_bytes("loss", curve(7, 9)))
    visit(file)
    assert not file.content.unseal(generation, sealed, sealed.parts)
    assert steps(file) == [7, 8]


def bytes_of(part: Part) -> memoryview:
    return memoryview(bytes(part.data()))


def test_a_file_changed_just_now_is_visited_again(path: Path) -> None:
    append(path, file_start())
    file = event_file(path)
    visit(file)
    assert file.state.identity.mtime_ns == 0, "it may change again within one tick of the clock"
    os.utime(path, ns=(LONG_AGO_NS, LONG_AGO_NS))
    visit(file)
    assert file.state.identity.mtime_ns == LONG_AGO_NS


def visit_ahead(file: EventFile) -> Visit:
    """Uses blocks so small that a small file is read ahead and records end at any position of a block."""
    return visit(file, block_bytes=997)


def test_reading_ahead_gives_the_same_result_as_sequential_reading(path: Path) -> None:
    append(path, file_start() + scalar_bytes("loss", curve(0, 1000)) + scalar_bytes("n" * 3000, curve(0, 20)))
    file = event_file(path)
    assert visit_ahead(file).position == path.stat().st_size
    assert (steps(file), steps(file, 1)) == (list(range(1000)), list(range(20)))


def test_reading_ahead_falls_back_to_sequential_reading_at_a_long_record(path: Path) -> None:
    big = _core.frame(b"\x1a\x80\x80\x08" + bytes(1 << 17))  # an event with a file version of 128 KiB
    append(path, file_start() + scalar_bytes("loss", curve(0, 200)) + big + scalar_bytes("loss", curve(200, 400)))
    file = event_file(path)
    assert visit_ahead(file).position == path.stat().st_size
    assert steps(file) == list(range(400))


def test_reading_ahead_ends_where_a_length_is_corrupt(path: Path) -> None:
    good = file_start() + scalar_bytes("loss", curve(0, 200))
    append(path, good + b"\xff" * 12 + scalar_bytes("loss", curve(200, 400)))
    file = event_file(path)
    assert visit_ahead(file).position == len(good)
    assert steps(file) == list(range(200))
    assert [problem.code for problem in file.state.problems] == [_core.PROBLEM_LENGTH_CRC]
