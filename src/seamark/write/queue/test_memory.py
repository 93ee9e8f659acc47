"""Large copies reuse memory, and never share it at the same time."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import numpy as np
import pytest

import seamark
from seamark.write.encode import arrays
from seamark.write.queue.memory import Pool
from seamark.write.test_support import events_in

MB = 1 << 20
LARGE = np.arange(500_000, dtype=np.float32)


@pytest.fixture
def pool(monkeypatch: pytest.MonkeyPatch) -> Pool:
    own = Pool(8 * MB)
    monkeypatch.setattr(arrays, "pool", own)
    return own


def address_of(array: np.ndarray) -> int:
    return int(array.__array_interface__["data"][0])


def test_a_copy_reuses_the_memory_of_the_last_one(pool: Pool) -> None:
    first = arrays.copy_of(LARGE)
    second = arrays.copy_of(LARGE + 1)
    assert address_of(first) != address_of(second)
    assert (first.tolist(), second[0]) == (LARGE.tolist(), 1)
    was_at = address_of(first)
    del first
    third = arrays.copy_of(LARGE[:-100].reshape(-1, 100))  # a little smaller, of another shape
    assert address_of(third) == was_at
    assert (third.shape, third.flags.writeable, third.flags.c_contiguous) == ((4999, 100), True, True)


def test_a_view_keeps_the_memory_of_the_whole(pool: Pool) -> None:
    part = arrays.copy_of(LARGE)[10:13]
    assert pool.pooled_bytes == 0
    arrays.copy_of(np.zeros_like(LARGE))
    assert part.tolist() == [10, 11, 12]


def test_the_pool_is_bounded_and_frees_the_oldest_memory(pool: Pool) -> None:
    copies = [arrays.copy_of(np.zeros(size * MB, np.uint8)) for size in (1, 2, 3, 4)]
    while copies:
        copies.pop(0)
    assert pool.pooled_bytes == 7 * MB
    arrays.copy_of(np.zeros(9 * MB, np.uint8))  # more than the bound: not kept at all
    assert pool.pooled_bytes == 7 * MB
    pool.clear()
    assert pool.pooled_bytes == 0


@pytest.mark.parametrize("dtype", ["?", "<f2", ">i4", "c16", "datetime64[s]", "S3"])
def test_copies_are_of_the_same_type(pool: Pool, dtype: str) -> None:
    array = (np.arange(400_000) % 1000).reshape(1000, 400).T.astype(dtype)
    copied = arrays.copy_of(array)
    assert (copied.dtype, copied.shape, np.array_equal(copied, array)) == (array.dtype, array.shape, True)


def test_small_arrays_and_objects_are_left_to_numpy(pool: Pool) -> None:
    arrays.copy_of(LARGE[:10])
    arrays.copy_of(np.array([None] * 200_000))
    assert pool.pooled_bytes == 0


def test_a_locked_pool_returns_new_memory(pool: Pool) -> None:
    arrays.copy_of(LARGE)
    with pool._lock:  # as seen by a signal handler that came in between
        copied = arrays.copy_of(LARGE)
        del copied
    assert arrays.copy_of(LARGE)[-1] == LARGE[-1]


def test_threads_never_get_the_same_memory(pool: Pool) -> None:
    def log(number: int) -> None:
        for _ in range(30):
            copied = arrays.copy_of(np.full(100_000, number))
            mixed.extend(set(np.unique(copied).tolist()) - {number})

    mixed: list[int] = []
    threads = [threading.Thread(target=log, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert mixed == []


def test_changes_after_the_call_are_not_in_the_file(tmp_path: Path) -> None:
    values = np.zeros(500_000, np.float32)
    with seamark.SummaryWriter(tmp_path) as writer:
        for step in range(12):
            values[:] = step
            writer.add_histogram("h", values, step)
            values[:] = -1
    found = [(event.step, value.histo) for event in events_in(tmp_path) for value in event.summary.value]
    shown = [(step, histo.min, histo.max, histo.num) for step, histo in found]
    assert shown == [(step, step, step, 500_000) for step in range(12)]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_forked_child_has_its_own_memory(tmp_path: Path) -> None:
    with seamark.SummaryWriter(tmp_path):  # so that forks are heard of
        copied = arrays.copy_of(LARGE)
        child = os.fork()
        if child == 0:
            copied[:] = 7
            is_right = (arrays.pool.pooled_bytes, arrays.copy_of(LARGE)[-1]) == (0, LARGE[-1])
            os._exit(0 if is_right else 1)
        assert os.waitpid(child, 0)[1] == 0
        assert copied.tolist() == LARGE.tolist()
