"""Tests that background threads give way to answers, and not for ever."""

import threading

from seamark.foreground import Foreground

LONG_SECS = 60.0


def test_without_an_answer_nobody_waits() -> None:
    assert Foreground().give_way(LONG_SECS) < LONG_SECS / 2


def test_a_background_thread_goes_on_when_the_last_answer_is_given() -> None:
    foreground, went_on = Foreground(), threading.Event()

    def in_background() -> None:
        foreground.give_way(LONG_SECS)
        went_on.set()

    thread = threading.Thread(target=in_background)
    with foreground.answering():
        with foreground.answering():
            thread.start()
        assert not went_on.wait(0.05)
    assert went_on.wait(LONG_SECS / 2)
    thread.join()


def test_an_answer_that_takes_long_does_not_stop_it() -> None:
    foreground = Foreground()
    with foreground.answering():
        assert foreground.give_way(0.01) >= 0.01
