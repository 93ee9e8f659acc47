"""Each rule gives a hint for unhealthy histograms, and none for healthy ones that look similar."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from seamark.kinds.histogram import Histogram, bucketize
from seamark.kinds.statistics.health import RULES, hints

RANDOM = np.random.default_rng(3)
NORMAL = RANDOM.normal(0, 1, 2000)
Numbers = NDArray[np.float64]


def torch_like(values: Numbers) -> Histogram:
    """Buckets that grow by a tenth from 1e-12 on, as torch and tensorboardX have them."""
    sides = 1e-12 * 1.1 ** np.arange(774)
    limits = np.concatenate([-sides[::-1], [0.0], sides])
    counts, _ = np.histogram(values, limits)
    filled = np.flatnonzero(counts)
    first, last = filled[0], filled[-1]
    edges = np.concatenate([[values.min()], limits[first + 1 : last + 1], [values.max()]])
    return Histogram(np.column_stack([edges[:-1], edges[1:], counts[first : last + 1]]))


def even(values: Numbers) -> Histogram:
    return Histogram(bucketize(values, 30))


FORMS = pytest.mark.parametrize("form", [torch_like, even])
Form = Callable[[Numbers], Histogram]


def rules_of(series: Sequence[Numbers], form: Form) -> list[str]:
    return [hint.rule for hint in hints(range(0, 10 * len(series), 10), [form(values) for values in series])]


@FORMS
def test_weights_that_shrink_to_zero_have_collapsed(form: Form) -> None:
    series = [NORMAL * scale for scale in (1, 0.9, 0.8, 0.5, 1e-2, 1e-5, 1e-6, 1e-7)]
    assert rules_of(series, form) == ["collapsed"]
    found = hints(range(8), [form(values) for values in series])[0]
    assert (found.step, found.words.split(":")[0]) == (5, "collapsed to zero at step 5")


@FORMS
@pytest.mark.parametrize("scales", [(1, 0.5, 0.1, 0.05, 0.02, 0.01), (1, 1, 1, 1, 1, 1e-6), (0, 1e-3, 0.1, 1, 1, 1)])
def test_smaller_gradients_a_single_step_and_a_start_at_zero_have_not_collapsed(
    form: Form, scales: list[float]
) -> None:
    assert rules_of([NORMAL * scale for scale in scales], form) == []


@FORMS
def test_values_a_thousand_times_as_large_explode(form: Form) -> None:
    series = [NORMAL * scale for scale in (0.1, 0.1, 0.12, 1, 60, 4000)]
    assert rules_of(series, form) == ["exploding"]
    assert hints(range(6), [form(values) for values in series])[0].step == 5


@FORMS
def test_growth_from_tiny_values_and_a_single_outlier_do_not_explode(form: Form) -> None:
    assert rules_of([NORMAL * scale for scale in (1e-6, 1e-5, 1e-4, 1e-3, 1e-2)], form) == []
    outlier = NORMAL.copy()
    outlier[0] = 1e3
    assert rules_of([NORMAL * 0.1] * 4 + [outlier], torch_like) == []


@FORMS
@pytest.mark.parametrize("squash", [np.tanh, lambda x: 1 / (1 + np.exp(-x))])
def test_an_activation_at_both_ends_of_its_range_is_saturated(form: Form, squash: Callable[[Numbers], Numbers]) -> None:
    assert rules_of([squash(NORMAL * scale) for scale in (0.5, 1, 5, 30, 60, 90)], form) == ["saturated"]
    # Healthy: most of them where the function is steep.
    assert rules_of([squash(NORMAL) for _ in range(6)], form) == []


@FORMS
def test_masks_one_sided_outputs_and_plain_numbers_are_not_saturated(form: Form) -> None:
    mask = (NORMAL > 0).astype(float)
    confident = np.concatenate([np.full(1900, 0.999), np.linspace(0, 1, 100)])
    assert rules_of([mask] * 5, form) == []
    assert rules_of([confident] * 5, form) == []
    assert rules_of([RANDOM.uniform(0, 1, 1000)] * 5, form) == []


def test_a_relu_with_almost_no_positive_values_is_dead() -> None:
    alive, dying = np.maximum(NORMAL, 0), np.maximum(NORMAL - 3, 0)
    assert rules_of([alive, alive, dying, dying, dying], torch_like) == ["dead"]
    assert rules_of([alive] * 5, torch_like) == []
    # Two are too few to say so.
    assert rules_of([alive, alive, alive, dying, dying], torch_like) == []


@FORMS
def test_small_probabilities_are_not_dead(form: Form) -> None:
    scores = RANDOM.normal(0, 4, 3000)
    assert rules_of([np.exp(scores) / np.exp(scores).sum()] * 5, form) == []


@FORMS
def test_values_that_are_always_zero_are_dead_and_constant_values_are_not(form: Form) -> None:
    assert rules_of([np.zeros(10)] * 4, form) == ["dead"]
    assert rules_of([np.ones(10)] * 4, form) == []


def test_non_finite_values_are_reported_with_their_first_step() -> None:
    whole = even(NORMAL)
    with_some = Histogram(whole.buckets, left_out=3.0)
    endless = Histogram(np.array([[0.0, 1.0, 5.0], [1.0, np.inf, 2.0]]))
    found = hints([0, 10, 20, 30, 40], [whole, with_some, None, endless, whole])
    assert [(hint.rule, hint.step) for hint in found] == [("not-finite", 10)]
    assert found[0].words == "NaN or infinite values in 3 of 5 histograms, first at step 10"


def test_too_few_and_empty_histograms_have_no_hints() -> None:
    empty = Histogram(np.zeros((0, 3)))
    assert hints([], []) == []
    assert hints([0, 1, 2], [empty] * 3) == []
    assert hints([0, 1], [even(np.zeros(5))] * 2) == []


def test_every_rule_is_in_the_docs_word_for_word() -> None:
    page = Path(__file__).parents[4] / "docs" / "health.md"
    text = " ".join(page.read_text(encoding="utf-8").split())
    for rule in RULES:
        assert f"## {rule.title}" in text
        assert rule.rule in text
        assert rule.advice in text
