"""Examples along training, compared with a plain loop over steps."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seamark.examples.form import ExamplesError, ExampleSet, Predictions
from seamark.examples.results.training import TrainingResult
from seamark.examples.slices.test_support import named, scored_set
from seamark.examples.training.follow import TrainingOptions, follow_training
from seamark.tables.column import Column, Table

pytestmark = pytest.mark.filterwarnings("error::RuntimeWarning")


def follow(truth: list[float], steps: list[list[float]], task: str = "binary", **options: object) -> TrainingResult:
    classes = ("false", "true") if task == "binary" else ()
    target = Column("y", "boolean" if task == "binary" else "number", numbers=np.array(truth, float))
    group = named("g", np.arange(len(truth)) % 2, ("even", "odd"))
    predictions = [Predictions(task, np.array(scores, float), classes) for scores in steps]  # type: ignore[arg-type]
    examples: ExampleSet = (
        scored_set(Table(len(truth), (group,)), target, predictions[0]).examples
        if predictions
        else scored_set(
            Table(len(truth), (group,)), target, Predictions("binary", np.zeros(len(truth)), classes)
        ).examples
    )
    pairs = [(10 * at, one) for at, one in enumerate(predictions)]
    return follow_training(examples, pairs, np.arange(len(truth)), TrainingOptions(**options))  # type: ignore[arg-type]


def test_forgotten_flipped_and_learned_rows() -> None:
    found = follow(
        [1, 1, 0, 1],
        [[0.9, 0.1, 0.1, 0.1], [0.2, 0.2, 0.1, 0.9], [0.9, 0.3, 0.1, 0.8], [0.4, 0.4, 0.1, 0.7]],
        slice_by=["g"],
    )
    assert [(one.row, one.forgotten, one.flips) for one in found.most_forgotten] == [(0, 2, 3)]
    assert (
        found.most_forgotten[0].is_right == (True, False, True, False) and found.most_forgotten[0].first_learned is None
    )
    assert [(one.row, one.flips) for one in found.most_flips] == [(0, 3), (3, 1)]
    assert found.most_flips[1].first_learned == 10
    assert found.hardest[0].row == 1 and found.hardest[0].mean_loss == pytest.approx(
        -np.log([0.1, 0.2, 0.3, 0.4]).mean()
    )
    assert (found.never_learned, found.always_right) == (1, 1)
    assert [[step.error for step in one.steps] for one in found.slices] == [
        [0.5, 0.5, 0.25, 0.5],
        [0, 0.5, 0, 0.5],
        [1, 0.5, 0.5, 0.5],
    ]


rows = st.lists(
    st.tuples(
        st.sampled_from([0.0, 1.0, math.nan]), st.lists(st.sampled_from([0.1, 0.9, math.nan]), min_size=4, max_size=4)
    ),
    min_size=1,
    max_size=12,
)


@settings(max_examples=100, deadline=None)
@given(rows)
def test_every_count_matches_a_plain_loop(table: list[tuple[float, list[float]]]) -> None:
    found = follow([truth for truth, _ in table], np.array([scores for _, scores in table]).T.tolist(), count=1000)
    forgotten = {one.row: one.forgotten for one in found.most_forgotten}
    flips = {one.row: one.flips for one in found.most_flips}
    never = always = 0
    for row, (truth, scores) in enumerate(table):
        classes = [score >= 0.5 for score in scores if not math.isnan(score)]
        right = [] if math.isnan(truth) else [one == bool(truth) for one in classes]
        assert forgotten.get(row, 0) == sum(a and not b for a, b in pairwise(right))
        assert flips.get(row, 0) == sum(a != b for a, b in pairwise(classes))
        never += bool(right) and not any(right)
        always += bool(right) and all(right)
    assert (found.never_learned, found.always_right) == (never, always)


def test_numbers_are_only_hard() -> None:
    found = follow([1.0, 5.0], [[1.0, 1.0], [1.5, 4.0]], task="regression")
    assert [one.row for one in found.hardest] == [1, 0] and found.hardest[0].mean_loss == pytest.approx(2.5)
    assert found.most_flips == () and found.hardest[0].is_right == (None, None)
    assert [step.error for step in found.slices[0].steps] == [2.0, 0.75] and "hardest" in found.notes[0]


def test_no_rows_or_steps() -> None:
    assert follow([], [[], []]).slices[0].steps[0].error is None
    assert follow([1.0], []).steps == ()


def test_steps_of_other_lengths_are_an_error() -> None:
    with pytest.raises(ExamplesError, match="step 10 has predictions of 1 rows, want 2"):
        follow([1, 0], [[0.1, 0.2], [0.1]])
