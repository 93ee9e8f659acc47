"""Findings about layers, at a step."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from seamark.graphs.health import Health, Signal, health_at
from seamark.graphs.layer_names import LayerTags


def signal(values: list[float], *, is_gradient: bool = True, zero_shares: list[float] | None = None) -> Signal:
    steps = np.arange(len(values), dtype=np.int64) * 10
    return Signal("grad_norm/fc", is_gradient, steps, np.array(values), np.array(zero_shares or []))


def test_a_healthy_layer_has_its_gradient_norm_at_the_step() -> None:
    assert health_at([signal([1.0, 2.0, 3.0])], None) == Health(3.0)
    assert health_at([signal([1.0, 2.0, 3.0])], 15) == Health(2.0)
    assert health_at([signal([1.0])], -1) == Health(None)
    assert health_at([], None) == Health(None)
    assert health_at([signal([3.0]), signal([4.0])], None).gradient_norm == 5.0


@pytest.mark.parametrize(
    ("values", "word", "sentence"),
    [
        ([1.0, float("nan"), 1.0], "NaN gradient", "grad_norm/fc is NaN from step 10"),
        ([1.0, float("inf")], "infinite gradient", "grad_norm/fc is infinite from step 10"),
        ([0.1] * 9 + [500.0], "exploding", "grad_norm/fc is 500 at step 90, 5,000 times its median"),
        ([1.0, 0.0, 0.0, 0.0], "dead", "grad_norm/fc is zero from step 10"),
        ([0.0, 0.0], "", ""),
        ([0.1] * 3 + [500.0], "", ""),
    ],
)
def test_what_is_wrong_is_said_in_words(values: list[float], word: str, sentence: str) -> None:
    found = health_at([signal(values)], None)
    assert (found.word, found.sentence) == (word, sentence)


def test_nothing_is_wrong_before_it_happens() -> None:
    assert health_at([signal([1.0, 1.0, float("nan")])], 10).word == ""


def test_the_norm_of_what_is_left_beside_nan_is_no_norm() -> None:
    counts = replace(signal([0.0, float("nan")]), is_norm=False)
    assert health_at([signal([2.0, 0.0]), counts], None).gradient_norm is None
    assert health_at([signal([2.0, 0.0]), counts], 0).gradient_norm == 2.0


def test_activations_that_are_all_zero_are_dead() -> None:
    found = health_at([signal([0.0, 0.0], is_gradient=False, zero_shares=[0.5, 0.995])], None)
    assert (found.word, found.gradient_norm) == ("dead", None)


@pytest.mark.parametrize(
    ("tag", "layer", "belongs"),
    [
        ("grad_norm/h.5.attn.c_proj.weight", "h.5.attn.c_proj", True),
        ("weights/module.h.5.attn.c_proj", "h.5.attn.c_proj", True),
        ("h.5.attn.c_proj", "h.5.attn.c_proj", True),
        ("grad_norm/h.5.attn.c_proj.weight", "h.5.attn", False),
        ("grad_norm/h.5.attn.c_proj.weight", "attn.c_proj", True),
        ("loss/c_projection", "c_proj", False),
        ("dense/kernel", "dense", True),
        ("dense/kernel/histogram", "dense", True),
        ("gradients/h.5.attn.c_proj.weight/norm", "h.5.attn.c_proj", True),
        ("gradients/h.5.attn.c_proj.weight/norm", "h.5.attn", False),
        ("gradients/h.5.attn.c_proj.weight/first", "h.5.attn.c_proj", False),
        ("x", "", False),
    ],
)
def test_a_tag_belongs_to_the_layer_it_names(tag: str, layer: str, belongs: bool) -> None:
    assert LayerTags([("scalars", tag)]).of(layer) == ([("scalars", tag)] if belongs else [])
