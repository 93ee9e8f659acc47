"""Equal requests at the same moment are answered once, and never with an outdated response."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from seamark.serve.http import cache
from seamark.serve.http.cache import SingleFlightCache


class CachedCounter:
    """A cache over a store whose version the test sets."""

    def __init__(self) -> None:
        self.version = 1
        self.made = 0
        self.cache = SingleFlightCache(lambda: self.version)

    def get(
        self, key: str = "q", make: Callable[[], bytes] | None = None, *, fresh_from: int = 99
    ) -> tuple[bytes, int]:
        def made() -> bytes:
            self.made += 1
            return b"%d" % self.made

        return self.cache.get(key, make or made, is_fresh=lambda version: version >= fresh_from)


def test_a_response_is_reused_until_it_is_stale() -> None:
    counter = CachedCounter()
    assert [counter.get(), counter.get()] == [(b"1", 1), (b"1", 1)]
    counter.version = 2
    assert counter.get(fresh_from=1) == (b"1", 1)
    assert counter.get(fresh_from=2) == (b"2", 2)


def test_fifty_requests_at_once_are_answered_once() -> None:
    counter, gate, got = CachedCounter(), threading.Event(), []

    def slow() -> bytes:
        counter.made += 1
        gate.wait(60)
        return b"slow"

    threads = [threading.Thread(target=lambda: got.append(counter.get("q", slow))) for _ in range(50)]
    for thread in threads:
        thread.start()
    gate.set()
    for thread in threads:
        thread.join()
    assert (counter.made, len(got), set(got)) == (1, 50, {(b"slow", 1)})


def test_an_error_is_raised_and_not_cached() -> None:
    counter = CachedCounter()

    def fail() -> bytes:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        counter.get("q", fail)
    assert counter.get() == (b"1", 1)


def test_the_oldest_responses_are_evicted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "MAX_BYTES", 2)
    counter = CachedCounter()
    for key in "abc":
        counter.get(key)
    assert counter.get("c") == (b"3", 1)
    assert counter.get("a") == (b"4", 1)


def test_peek_returns_only_a_response_that_is_ready_and_valid() -> None:
    version = 1
    cached = cache.SingleFlightCache(lambda: version)

    def look() -> tuple[bytes, int] | None:
        return cached.peek("q", is_fresh=lambda _: False)

    def make() -> bytes:
        assert look() is None  # it is being made
        return b"answer"

    assert look() is None
    cached.get("q", make, is_fresh=lambda _: False)
    assert look() == (b"answer", 1)
    version = 2
    assert look() is None
    assert cached.peek("q", is_fresh=lambda made: made == 1) == (b"answer", 1)
