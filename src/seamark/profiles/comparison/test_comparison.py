"""Comparing two profiles: the parts of a step, the rows that changed, and the sentences."""

from __future__ import annotations

from seamark.profiles.comparison import compare_profiles
from seamark.profiles.profile import Profile
from seamark.profiles.testing_events import Event, profile_of, slice_event, step_event

MS = 1_000_000


def loop(op_ms: int, *, steps: int = 4, first: int = 0, wait_ms: int = 0, extra_calls: int = 0) -> Profile:
    """Steps of `aten::mm`, a wait for input and 2 ms of `aten::add`."""
    events: list[Event] = []
    now = 0
    for number in range(first, first + steps):
        start = now
        if wait_ms:
            name = "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__"
            events.append(slice_event(name, now, wait_ms * MS, category="user_annotation"))
            now += wait_ms * MS
        for name, duration in [("aten::mm", op_ms), ("aten::add", 2), *[("aten::relu", 1)] * extra_calls]:
            events.append(slice_event(name, now, duration * MS))
            now += duration * MS
        events.append(step_event(number, start, now - start))
    return profile_of(events)


def test_the_slower_operator_explains_the_difference() -> None:
    found = compare_profiles(loop(10), loop(16))
    assert [(part.part, part.a_ns, part.b_ns) for part in found.breakdown if part.a_ns or part.b_ns] == [
        ("step", 12 * MS, 18 * MS),
        ("host_compute", 12 * MS, 18 * MS),
    ]
    first = found.operators[0]
    assert (first.name, first.a_ns, first.b_ns, first.explains) == ("aten::mm", 10 * MS, 16 * MS, 1.0)
    assert found.explanation[0] == "A step of B is 6.00 ms (50%) longer than one of A."
    assert "aten::mm: 6.00 ms more a step (100% of the difference)." in found.explanation
    assert found.a_step_ns == [12 * MS] * 4 and found.step_names == [f"step {n}" for n in range(4)]


def test_a_part_and_new_calls_are_named() -> None:
    found = compare_profiles(loop(10), loop(10, wait_ms=5, extra_calls=3))
    assert "Waiting for input: 5.00 ms more a step (62% of the difference)." in found.explanation
    assert "aten::relu: 3.00 ms more a step, with 3 more calls (38% of the difference)." in found.explanation


def test_long_names_are_shortened_in_sentences() -> None:
    slow, fast = (profile_of([step_event(0, 0, ms * MS), slice_event("n" * 500, 0, ms * MS)]) for ms in (9, 3))
    assert f"{'n' * 99}…: 6.00 ms less a step (100% of the difference)." in compare_profiles(slow, fast).explanation


def test_steps_with_other_numbers_are_compared_in_order() -> None:
    found = compare_profiles(loop(10, steps=3), loop(10, steps=5, first=100))
    assert (found.a_steps, found.b_steps, found.step_names) == (3, 5, ["1", "2", "3"])
    assert found.explanation == ["Both take the same time for a step: 12.00 ms and 12.00 ms."]


def test_without_steps_the_whole_traces_are_compared() -> None:
    found = compare_profiles(loop(10), profile_of([slice_event("aten::mm", 0, 7 * MS)]))
    assert found.breakdown == [] and "no steps" in found.explanation[0]
    first = found.operators[0]
    assert (first.name, first.a_ns, first.b_ns, first.explains) == ("aten::mm", 40 * MS, 7 * MS, None)


def test_a_cause_that_only_one_profile_has_is_named_first() -> None:
    found = compare_profiles(loop(10), loop(10, wait_ms=5))
    assert found.explanation[1] == (
        "In B alone: The step waits for input in 4 of 4 steps. It costs 5.00 ms a step (100% of the difference)."
    )
    backwards = compare_profiles(loop(10, wait_ms=5), loop(10))
    assert backwards.explanation[1].startswith("In A alone: The step waits for input")


def test_a_cause_of_both_is_compared() -> None:
    found = compare_profiles(loop(10, wait_ms=5), loop(8, wait_ms=9))
    assert found.explanation[1] == (
        "In both: The step waits for input in 4 of 4 steps. "
        "It costs 4.00 ms a step more in B (more than the whole difference)."
    )


def test_steps_without_a_duration_can_be_compared() -> None:
    empty = profile_of([step_event(0, 0, 0), slice_event("aten::mm", 10, 5)])
    assert compare_profiles(empty, empty).explanation == ["Both take the same time for a step: 0.00 ms and 0.00 ms."]
    assert compare_profiles(empty, loop(10)).explanation[0] == "A step of B is 12.00 ms longer than one of A."
