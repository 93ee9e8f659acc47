"""Combines waits, stages and advice."""

from __future__ import annotations

from seamark.profiles.analyses.input_pipeline.advice import INPUT_BOUND_SHARE, InputShare, advise
from seamark.profiles.analyses.input_pipeline.loader import find_loader_stages
from seamark.profiles.analyses.input_pipeline.stored import input_of_tables
from seamark.profiles.analyses.input_pipeline.tf_data import find_tf_data_stages
from seamark.profiles.analyses.input_pipeline.waits import Waits, find_waits, histogram, wait_of_steps
from seamark.profiles.analyses.steps import complete_steps, find_steps
from seamark.profiles.profile import Profile
from seamark.profiles.results import InputPipeline
from seamark.profiles.stored_tables import find_stored_tables

NO_DATA = (
    "The trace has no calls of a DataLoader or of tf.data: the input is ready before the trace begins, "
    "or it is loaded by code that the profiler does not see."
)
WORKERS_UNSEEN = "The workers of a DataLoader are other processes: the trace has the waiting, not the loading."
NO_STEPS = "The trace has no steps: the waiting time of a step is not known."


def find_input_pipeline(profile: Profile) -> InputPipeline:
    tables = profile.get(find_stored_tables)
    if tables is not None:
        return input_of_tables(tables)
    waits, steps = find_waits(profile), profile.get(find_steps).steps
    stages = find_tf_data_stages(profile) or (find_loader_stages(profile, waits.slices) if len(waits.slices) else [])
    per_step = wait_of_steps(profile, waits, steps) if len(waits.slices) else []
    edges, counts = histogram(profile, waits)
    complete = complete_steps(steps)
    count = max(len(complete), 1)
    mean = InputShare(
        sum(steps[index].duration_ns for index in complete) // count,
        sum(per_step[index] for index in complete) // count if per_step else 0,
    )
    return InputPipeline(
        stages=stages,
        wait_ns_per_step=per_step,
        wait_bins_ns=edges,
        wait_counts=counts,
        workers=0 if waits.is_single_process else None,
        advice=advise(waits, stages, mean),
        notes=_notes(waits, bool(steps), mean),
    )


def _notes(waits: Waits, has_steps: bool, mean: InputShare) -> list[str]:
    if not len(waits.slices):
        return [NO_DATA]
    notes = [] if has_steps else [NO_STEPS]
    if waits.loader == "DataLoader" and waits.is_single_process is False:
        notes.append(WORKERS_UNSEEN)
    if has_steps and mean.share < INPUT_BOUND_SHARE:
        notes.append(f"Steps wait {mean.share:.1%} of their time for input, less than {INPUT_BOUND_SHARE:.0%}.")
    return notes
