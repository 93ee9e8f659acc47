"""Steps: finds where each training step begins and ends, by the best source that the trace has."""

from __future__ import annotations

from collections.abc import Callable

from seamark.profiles.analyses.steps.candidate import CandidateSteps
from seamark.profiles.analyses.steps.device_end import with_device_work
from seamark.profiles.analyses.steps.inferred import data_loader_steps, optimizer_steps
from seamark.profiles.analyses.steps.marked import (
    device_step_line,
    numbered_steps,
    profiler_steps,
    root_steps,
    trace_context_steps,
)
from seamark.profiles.analyses.steps.notes import INCOMPLETE, note_steps
from seamark.profiles.analyses.steps.repetition import repeated_steps
from seamark.profiles.profile import Profile
from seamark.profiles.results import Step, Steps
from seamark.profiles.stored_tables import StoredTables, find_stored_tables

SOURCES: tuple[Callable[[Profile], CandidateSteps | None], ...] = (
    profiler_steps,
    device_step_line,
    root_steps,
    numbered_steps,
    trace_context_steps,
    optimizer_steps,
    data_loader_steps,
    repeated_steps,
)


def find_steps(profile: Profile) -> Steps:
    if profile.drawn_steps is not None:
        return profile.drawn_steps
    tables = profile.get(find_stored_tables)
    if tables is not None and tables.steps:
        return steps_of_tables(tables)
    if not profile.trace.slices:
        return Steps(steps=[], source="none", text="no steps found: the trace has no slices")
    for find in SOURCES:
        found = find(profile)
        if found is not None:
            return _finish(profile, found)
    return Steps(steps=[], source="none", text="no steps found: no sequence of names repeats; draw them in Trace")


def steps_of_tables(tables: StoredTables) -> Steps:
    return Steps(
        steps=[
            Step(name=step.name, number=step.number, start_ns=step.start_ns, duration_ns=step.duration_ns)
            for step in tables.steps
        ],
        source="tables",
        text="steps from the tables of TensorFlow's profiler",
    )


def complete_steps(steps: list[Step]) -> list[int]:
    """Positions of the steps that averages are taken over: all but incomplete ones, if others are left."""
    complete = [index for index, step in enumerate(steps) if step.note != INCOMPLETE]
    return complete or list(range(len(steps)))


def _finish(profile: Profile, found: CandidateSteps) -> Steps:
    # Steps on a device's own line are its work already.
    extended = found if found.source == "step_marker" else with_device_work(profile, found)
    notes = note_steps(profile, found, extended)
    extended = _with_numbers(extended)
    return Steps(
        steps=[
            Step(name=name, number=number, start_ns=int(start), duration_ns=int(end - start), note=note)
            for name, number, start, end, note in zip(
                extended.names, extended.numbers, extended.start, extended.end, notes, strict=True
            )
        ],
        source=extended.source,
        text=extended.text,
    )


def _with_numbers(steps: CandidateSteps) -> CandidateSteps:
    """Steps without a number are counted from 0."""
    if any(number is not None for number in steps.numbers):
        return steps
    numbers: list[int | None] = list(range(len(steps.names)))
    names = [f"{name} {number}" for name, number in zip(steps.names, numbers, strict=True)]
    return steps._replace(names=names, numbers=numbers)
