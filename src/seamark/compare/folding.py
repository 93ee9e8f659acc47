"""Runs that belong to the run above them, because one writer made both.

torch's add_hparams writes a run of its own below the run that calls it, and add_scalars one for each curve.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from seamark.compare.flatten import Scalar
from seamark.format.types import RunName, Tag

# str(time.time()), which torch takes as the name.
TIMESTAMP = re.compile(r"\d{9,11}(\.\d+)?$")
ROOT = RunName(".")
KERAS_PARTS = ("train", "validation")


@dataclass(frozen=True, slots=True)
class Session:
    """What a run with a session's start holds, as far as folding asks."""

    params: Callable[[], Mapping[str, Scalar | None]]
    began: float
    is_single: bool  # one point per tag: a note of results, not a training of its own


def folded_runs(runs: Collection[RunName], sessions: Mapping[RunName, Session]) -> dict[RunName, RunName]:
    """Each folded run with the run above it, in the order of time.

    Several with different hyperparameters below one run are trials that one writer noted: each stays a row.
    """
    below: dict[RunName, list[RunName]] = {}
    for name, session in sessions.items():
        parent = parent_of(name)
        if parent in runs and parent != name and is_note(name, parent, session):
            below.setdefault(parent, []).append(name)
    parents_of_all = {parent_of(name) for name in runs}
    folded: dict[RunName, RunName] = {}
    for parent, children in below.items():
        first = sessions[children[0]].params()
        if parent in sessions and sessions[parent].params() != first:
            continue
        if any(child in parents_of_all or sessions[child].params() != first for child in children):
            continue
        folded.update((child, parent) for child in sorted(children, key=lambda name: (sessions[name].began, name)))
    return folded


def curve_runs(runs: Mapping[RunName, Sequence[Tag]], sessions: Collection[RunName]) -> dict[RunName, RunName]:
    """Each run that add_scalars made, with the run whose writer made it: they are folded by name."""
    found = ((name, run_above(name, runs)) for name in runs if name not in sessions)
    return {name: above for name, above in found if above is not None and is_curve(name, above, runs[name])}


def run_above(name: RunName, runs: Collection[RunName]) -> RunName | None:
    """The nearest one, which is not always the folder above: keys of add_scalars may have slashes."""
    while name != ROOT:
        name = parent_of(name)
        if name in runs:
            return name
    return None


def is_curve(name: RunName, above: RunName, tags: Sequence[Tag]) -> bool:
    """add_scalars("loss", {"train": …}) writes the tag "loss" into the folder loss_train, and nothing else."""
    folder = below(name, above)
    return len(tags) == 1 and folder.startswith(curve_prefix(tags[0])) and folder != curve_prefix(tags[0])


def curve_name(name: RunName, above: RunName, tag: Tag) -> Tag:
    """What the row of the run above calls it: loss/train."""
    return Tag(f"{tag}/{below(name, above)[len(curve_prefix(tag)) :]}")


def curve_prefix(tag: Tag) -> str:
    return f"{tag.replace('/', '_')}_"


def below(name: RunName, above: RunName) -> str:
    return name if above == ROOT else name[len(above) + 1 :]


def parent_of(name: RunName) -> RunName:
    return RunName(name.rpartition("/")[0]) or ROOT


def session_above(name: RunName, sessions: Collection[RunName]) -> RunName | None:
    """The nearest run above that noted hyperparameters; the root does not count: everything lies below it."""
    while (name := parent_of(name)) != ROOT:
        if name in sessions:
            return name
    return None


def part_above(name: RunName, runs: Collection[RunName]) -> RunName | None:
    """Of Keras's `train` and `validation` side by side: the folder that is the trial, be it a run or not."""
    if name.rpartition("/")[2] not in KERAS_PARTS:
        return None
    parent = parent_of(name)
    both = [RunName(f"{parent}/{part}") for part in KERAS_PARTS]
    return parent if parent != ROOT and all(part in runs for part in both) else None


def is_note(name: RunName, parent: RunName, session: Session) -> bool:
    """Named by the time, or by `run_name=`. Everything lies below the root: there only the name tells."""
    if TIMESTAMP.match(name.rpartition("/")[2]):
        return True
    return parent != ROOT and session.is_single
