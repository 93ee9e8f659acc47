"""Pairs of curves with a known divergence, and pairs that do not diverge."""

from __future__ import annotations

import math

import numpy as np
import pytest

from seamark.compare.diff.divergence import MIN_POINTS, Divergence, block_means, cleaned, find_divergence


def falling(steps: np.ndarray) -> np.ndarray:
    """A loss as one sees it: falls fast, then slowly."""
    return 2 * np.exp(-8 * steps / steps[-1]) + 0.5


def divergence_of(steps_a: np.ndarray, a: np.ndarray, steps_b: np.ndarray, b: np.ndarray) -> Divergence | None:
    return find_divergence(steps_a, a, steps_b, b).divergence


@pytest.mark.parametrize("points", [30, 200, 1000, 20_000])
def test_a_jump_of_six_times_the_noise_is_found_where_it_is(points: int) -> None:
    rng = np.random.default_rng(points)
    steps = np.arange(points) * 10.0
    a, b = falling(steps) + 0.1 * rng.normal(size=(2, points))
    b[points // 2 :] += 0.6

    found = divergence_of(steps, a, steps, b)

    assert found is not None
    assert abs(found.step - steps[points // 2]) <= 10 * max(2, points * 0.01)
    assert found.level < -1.5  # the first curve lies below


def test_a_long_curve_shows_a_difference_that_is_smaller_than_its_noise() -> None:
    rng = np.random.default_rng(1)
    steps = np.arange(20_000.0)
    a, b = falling(steps) + 0.1 * rng.normal(size=(2, steps.size))
    b[12_000:] -= 0.05

    found = divergence_of(steps, a, steps, b)

    assert found is not None and abs(found.step - 12_000) < 400
    assert found.level > 0


def test_curves_that_share_their_noise_part_where_they_plainly_do() -> None:
    rng = np.random.default_rng(4)
    steps = np.arange(1000.0)
    noise = 0.05 * rng.normal(size=steps.size)
    a = falling(steps) + noise
    b = a + np.clip(steps - 300, 0, None) / 1000

    found = divergence_of(steps, a, steps, b)

    assert found is not None and 300 <= found.step < 450


def test_curves_that_drift_apart_slowly_part_soon_after_the_drift_begins() -> None:
    rng = np.random.default_rng(2)
    steps = np.arange(2000.0)
    a, b = falling(steps) + 0.05 * rng.normal(size=(2, steps.size))
    b += np.clip(steps - 800, 0, None) / 2000

    found = divergence_of(steps, a, steps, b)

    assert found is not None and 800 <= found.step < 1100


def test_curves_that_differ_from_the_start_part_at_the_first_step() -> None:
    rng = np.random.default_rng(3)
    steps = np.arange(5.0, 505.0)
    a, b = 1 + 0.1 * rng.normal(size=(2, steps.size))

    found = divergence_of(steps, a, steps, b + 1)

    assert found is not None and found.step == 5


@pytest.mark.parametrize("noise", ["white", "heavy", "shrinking", "with memory"])
def test_of_a_hundred_pairs_that_differ_by_noise_alone_hardly_any_part(noise: str) -> None:
    rng = np.random.default_rng(4)
    steps = np.arange(300.0)

    def one() -> np.ndarray:
        values = rng.standard_t(3, size=300) if noise == "heavy" else rng.normal(size=300)
        if noise == "shrinking":
            values = values * np.linspace(5, 0.5, 300)
        if noise == "with memory":
            for i in range(1, 300):
                values[i] += 0.7 * values[i - 1]
        return falling(steps) + 0.1 * values

    parted = sum(divergence_of(steps, one(), steps, one()) is not None for _ in range(100))

    assert parted <= (8 if noise == "with memory" else 3)


def test_a_single_spike_is_no_parting() -> None:
    rng = np.random.default_rng(5)
    steps = np.arange(200.0)
    a, b = 1 + 0.1 * rng.normal(size=(2, 200))
    b[100] = 1000.0
    assert divergence_of(steps, a, steps, b) is None


def test_one_curve_logged_ten_times_as_often_parts_at_the_same_place() -> None:
    rng = np.random.default_rng(6)
    often, seldom = np.arange(0, 10_000.0, 10), np.arange(3, 9_000.0, 100)
    a = falling(often) + 0.02 * rng.normal(size=often.size)
    b = 2 * np.exp(-8 * seldom / often[-1]) + 0.5 + 0.02 * rng.normal(size=seldom.size)
    b[seldom >= 5000] += 0.5

    found = divergence_of(often, a, seldom, b)

    assert found is not None and 4900 <= found.step <= 5200


def test_nan_infinities_and_repeated_steps_do_not_disturb() -> None:
    rng = np.random.default_rng(7)
    steps = np.arange(400.0)
    a, b = 1 + 0.05 * rng.normal(size=(2, 400))
    b[200:] += 1
    a[50:60], b[70], b[150] = np.nan, np.inf, -np.inf
    steps_again = np.concatenate([steps[:100] * 0 + 399, steps])  # written anew: the later ones count
    b_again = np.concatenate([np.full(100, 1e9), b])

    found = divergence_of(steps, a, steps_again, b_again)

    assert found is not None and abs(found.step - 200) <= 2


def test_curves_without_noise_part_at_the_first_difference_beyond_rounding() -> None:
    steps = np.arange(100.0)
    a, b = steps / 7, (steps / 7).astype(np.float32).astype(float)
    assert divergence_of(steps, a, steps, b) is None
    b = b.copy()
    b[40:] += 0.01
    found = divergence_of(steps, a, steps, b)
    assert found is not None and found.step == 40


def test_equal_and_constant_curves_do_not_part() -> None:
    steps = np.arange(50.0)
    for value in (0.0, 1.0, -3.5):
        assert divergence_of(steps, np.full(50, value), steps, np.full(50, value)) is None


def test_curves_that_share_too_few_steps_say_so() -> None:
    steps = np.arange(100.0)
    apart = find_divergence(steps, steps, steps + 1000, steps)
    few = find_divergence(steps[: MIN_POINTS - 1], steps[: MIN_POINTS - 1], steps, steps)
    for compared in (apart, few):
        assert compared.divergence is None and "share" in compared.note


def test_the_parting_of_b_from_a_is_that_of_a_from_b() -> None:
    rng = np.random.default_rng(8)
    steps = np.arange(300.0)
    a, b = 1 + 0.1 * rng.normal(size=(2, 300))
    b[150:] += 1
    one, other = divergence_of(steps, a, steps, b), divergence_of(steps, b, steps, a)
    assert one is not None and other is not None
    assert one.step == other.step and one.level == pytest.approx(-other.level)


def test_the_last_of_several_values_at_a_step_counts() -> None:
    steps, values = cleaned(np.array([3.0, 1, 2, 2, np.nan]), np.array([30.0, 10, 20, 21, 5]))
    assert steps.tolist() == [1, 2, 3] and values.tolist() == [10, 21, 30]


def test_what_fills_no_block_belongs_to_the_last_one() -> None:
    assert block_means(np.arange(7.0), 3).tolist() == [1.0, 4.5]


def test_few_points_that_lie_far_apart_all_along_part() -> None:
    steps = np.arange(30.0)
    found = alarms = 0
    for seed in range(100):
        one, other = np.random.default_rng(seed).normal(0, 0.02, (2, 30))
        found += find_divergence(steps, one + 0.085, steps, other).divergence is not None
        alarms += find_divergence(steps, one, steps, other).divergence is not None
    assert found >= 95  # by chance a few seem to have a memory
    assert alarms <= 3  # about one in a hundred, as docs/comparing.md says


@pytest.mark.parametrize("lost", [math.nan, math.inf, -math.inf])
def test_a_curve_that_turns_non_finite_parts_from_one_that_does_not(lost: float) -> None:
    steps = np.arange(200.0)
    healthy = np.exp(-steps / 50)
    broken = healthy.copy()
    broken[120:] = lost
    for pair in ((steps, healthy, steps, broken), (steps, broken, steps, healthy)):
        divergence = find_divergence(*pair).divergence
        assert divergence is not None and divergence.step == 120 and divergence.level is None
    assert find_divergence(steps, broken, steps, broken).divergence is None


def test_a_single_nan_and_a_curve_that_ends_earlier_are_no_parting() -> None:
    steps = np.arange(200.0)
    healthy = np.exp(-steps / 50)
    dented = healthy.copy()
    dented[50] = math.nan
    assert find_divergence(steps, healthy, steps, dented).divergence is None
    broken = healthy.copy()
    broken[120:] = math.nan
    assert find_divergence(steps[:100], healthy[:100], steps, broken).divergence is None


def test_a_curve_without_any_finite_value_parts_at_its_first_step() -> None:
    steps = np.arange(10.0)
    divergence = find_divergence(steps, np.ones(10), steps, np.full(10, math.nan)).divergence
    assert divergence is not None and divergence.step == 0
