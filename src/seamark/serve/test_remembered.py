"""The same question at the same moment is answered once, and never with something too old."""

from __future__ import annotations

import threading
from collections.abc import Callable

import numpy as np
import pytest

from seamark.serve import live, remembered
from seamark.serve.live import Announced
from seamark.serve.remembered import Remembered
from seamark.store import Delta, ScalarRows


class Clockwork:
    """A store's version that the test turns."""

    def __init__(self) -> None:
        self.version = 1
        self.made = 0
        self.remembered = Remembered(lambda: self.version)

    def ask(
        self, question: str = "q", make: Callable[[], bytes] | None = None, *, fresh_from: int = 99
    ) -> tuple[bytes, int]:
        def made() -> bytes:
            self.made += 1
            return b"%d" % self.made

        return self.remembered.get(question, make or made, is_fresh=lambda version: version >= fresh_from)


def test_an_answer_is_given_again_until_it_is_stale() -> None:
    clock = Clockwork()
    assert [clock.ask(), clock.ask()] == [(b"1", 1), (b"1", 1)]
    clock.version = 2
    assert clock.ask(fresh_from=1) == (b"1", 1)
    assert clock.ask(fresh_from=2) == (b"2", 2)


def test_fifty_who_ask_at_once_get_one_answer() -> None:
    clock, gate, got = Clockwork(), threading.Event(), []

    def slow() -> bytes:
        clock.made += 1
        gate.wait(5)
        return b"slow"

    threads = [threading.Thread(target=lambda: got.append(clock.ask("q", slow))) for _ in range(50)]
    for thread in threads:
        thread.start()
    gate.set()
    for thread in threads:
        thread.join()
    assert (clock.made, len(got), set(got)) == (1, 50, {(b"slow", 1)})


def test_an_error_is_told_and_not_remembered() -> None:
    clock = Clockwork()

    def fail() -> bytes:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        clock.ask("q", fail)
    assert clock.ask() == (b"1", 1)


def test_the_oldest_answers_make_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remembered, "MAX_BYTES", 2)
    clock = Clockwork()
    for question in "abc":
        clock.ask(question)
    assert clock.ask("c") == (b"3", 1)
    assert clock.ask("a") == (b"4", 1)


def grown(version: int, tag: str) -> Delta:
    rows = ScalarRows(0, np.array([1]), np.array([1.0]), np.array([1.0]))
    return Delta(version=version, appended={"a": {tag: rows}})


def test_an_answer_will_do_as_long_as_its_tag_has_not_grown(monkeypatch: pytest.MonkeyPatch) -> None:
    announced = Announced()
    announced.note(grown(5, "loss"))
    assert announced.covers("loss", 5, 5)
    assert not announced.covers("loss", 4, 5)
    assert announced.covers("other", 1, 5)
    announced.note(Delta(version=6, runs_added=frozenset({"b"})))
    assert not announced.covers("other", 5, 6)
    # Changes nobody was told of yet: for a moment only.
    assert announced.covers("other", 6, 8)
    monkeypatch.setattr(live, "CURRENT_SECS", 0.0)
    assert not announced.covers("other", 6, 8)
    assert announced.covers("other", 6, 6)


def test_a_list_will_do_until_anything_else_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    announced = Announced()
    announced.note(grown(5, "loss"))
    assert announced.covers_all(5, 5)
    assert not announced.covers_all(4, 5)
    announced.note(grown(6, "other"))
    assert not announced.covers_all(5, 6)
    # Changes nobody was told of yet: for a moment only.
    assert announced.covers_all(6, 8)
    monkeypatch.setattr(live, "CURRENT_SECS", 0.0)
    assert not announced.covers_all(6, 8)


def test_only_an_answer_that_is_ready_and_right_is_given_without_waiting() -> None:
    version = 1
    kept = remembered.Remembered(lambda: version)

    def look() -> tuple[bytes, int] | None:
        return kept.peek("q", is_fresh=lambda _: False)

    def make() -> bytes:
        assert look() is None  # it is being made
        return b"answer"

    assert look() is None
    kept.get("q", make, is_fresh=lambda _: False)
    assert look() == (b"answer", 1)
    version = 2
    assert look() is None
    assert kept.peek("q", is_fresh=lambda made: made == 1) == (b"answer", 1)
