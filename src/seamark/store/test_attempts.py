"""Tests of which payloads a restart supersedes."""

import numpy as np
import pytest

from seamark.store.attempts import attempts_of, chosen


def steps(*numbers: int) -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
    return np.array(numbers, np.int64)


def test_a_step_that_goes_back_begins_an_attempt_and_an_equal_one_does_not() -> None:
    assert attempts_of(steps(0, 1, 1, 2, 1, 2)).tolist() == [0, 0, 0, 0, 1, 1]


def test_what_came_before_a_restart_stays_and_what_was_done_again_goes() -> None:
    assert chosen(steps(0, 5, 10, 5, 7), "latest").tolist() == [0, 3, 4]
    assert chosen(steps(0, 5, 10, 5, 7), "all").tolist() == [0, 1, 2, 3, 4]


def test_a_second_restart_reaches_back_beyond_the_first() -> None:
    assert chosen(steps(0, 1, 2, 3, 2, 3, 1), "latest").tolist() == [0, 6]


def test_no_points_at_all() -> None:
    assert chosen(steps(), "latest").tolist() == []


def test_an_unknown_choice_is_refused() -> None:
    with pytest.raises(ValueError, match="want latest or all"):
        chosen(steps(1), "newest")
