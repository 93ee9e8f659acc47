"""The same question at the same moment is answered once, and never with something too old."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from seamark.serve import remembered
from seamark.serve.remembered import Remembered


class Clockwork:
    """A store's version that the test turns."""

    def __init__(self) -> None:
        self.version = self.announced = 1
        self.made = 0
        self.remembered = Remembered(lambda: self.version, lambda: self.announced)

    def ask(self, question: str = "q", make: Callable[[], bytes] | None = None) -> tuple[bytes, int]:
        def made() -> bytes:
            self.made += 1
            return b"%d" % self.made

        return self.remembered.get(question, make or made)


def test_an_answer_is_given_again_until_pages_know_of_a_change() -> None:
    clock = Clockwork()
    assert [clock.ask(), clock.ask()] == [(b"1", 1), (b"1", 1)]
    clock.version = 2
    assert clock.ask() == (b"1", 1)
    clock.announced = 2
    assert clock.ask() == (b"2", 2)


def test_an_answer_that_nobody_announced_ages_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remembered, "MAX_AGE_SECS", 0.0)
    clock = Clockwork()
    clock.ask()
    clock.version = 2
    assert clock.ask() == (b"2", 2)


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
