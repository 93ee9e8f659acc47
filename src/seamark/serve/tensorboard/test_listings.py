"""Listings are built once per change, and a few times a second while the log directory loads."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

from seamark.serve.tensorboard.listings import MAX_AGE_WHILE_LOADING_SECS, Listings
from seamark.store import Store


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_listing_is_built_once_per_version() -> None:
    store = SimpleNamespace(version=1, progress=lambda: SimpleNamespace(loading=False))
    listings = Listings(cast(Store, store), Clock())
    bodies = iter([b"first", b"second"])
    assert [listings.get("tags", lambda: next(bodies)) for _ in range(3)] == [b"first"] * 3
    store.version = 2
    assert [listings.get("tags", lambda: next(bodies)) for _ in range(2)] == [b"second"] * 2


def test_a_listing_may_be_old_only_while_the_store_loads() -> None:
    loading = SimpleNamespace(loading=True)
    store = SimpleNamespace(version=1, progress=lambda: loading)
    clock = Clock()
    listings = Listings(cast(Store, store), clock)

    def get() -> bytes:
        store.version += 1
        return listings.get("tags", lambda: str(store.version).encode())

    assert [get(), get(), get()] == [b"2", b"2", b"2"]
    clock.now += MAX_AGE_WHILE_LOADING_SECS
    assert get() == b"5"
    loading.loading = False
    assert [get(), get()] == [b"6", b"7"]
