"""Merges runs into the run above them if one writer made both.

torch's add_hparams writes a run of its own below the run that calls it, and add_scalars one for each curve.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from seamark.format.types import RunName, Tag

if TYPE_CHECKING:
    from seamark.compare.record.flatten import Scalar

# As in seamark.kinds.hparams, which loads protobuf.
SESSION_START_TAG = "_hparams_/session_start_info"
# str(time.time()), which torch uses as the name.
TIMESTAMP = re.compile(r"\d{9,11}(\.\d+)?$")
ROOT = RunName(".")
KERAS_PARTS = ("train", "validation")


@dataclass(frozen=True, slots=True)
class Session:
    """The parts of a run's session that merging needs."""

    params: Callable[[], Mapping[str, Scalar | None]]
    began: float
    is_single: bool  # one point per tag: the results of another run, not a training run


def merged_runs(runs: Collection[RunName], sessions: Mapping[RunName, Session]) -> dict[RunName, RunName]:
    """Maps each merged run to the run above it, in order of time.

    Runs with different hyperparameters below one run are trials that one writer logged: each stays a row.
    """
    below: dict[RunName, list[RunName]] = {}
    for name, session in sessions.items():
        parent = parent_of(name)
        if parent in runs and parent != name and is_add_hparams_run(name, parent, session):
            below.setdefault(parent, []).append(name)
    parents_of_all = {parent_of(name) for name in runs}
    merged: dict[RunName, RunName] = {}
    for parent, children in below.items():
        first = sessions[children[0]].params()
        if parent in sessions and sessions[parent].params() != first:
            continue
        if any(child in parents_of_all or sessions[child].params() != first for child in children):
            continue
        merged.update((child, parent) for child in sorted(children, key=lambda name: (sessions[name].began, name)))
    return merged


def curve_runs(runs: Mapping[RunName, Sequence[Tag]], sessions: Collection[RunName]) -> dict[RunName, RunName]:
    """Maps each run that add_scalars made to the run of its writer; recognized by name.

    `runs` are the tags of each run's scalars, none if it logged anything else: add_scalars does not.
    """
    found = ((name, run_above(name, runs)) for name in runs if name not in sessions)
    return {name: above for name, above in found if above is not None and is_curve(name, above, runs[name])}


def run_above(name: RunName, runs: Collection[RunName]) -> RunName | None:
    """The nearest run above. Not always the parent folder: keys of add_scalars may contain slashes."""
    while name != ROOT:
        name = parent_of(name)
        if name in runs:
            return name
    return None


def is_curve(name: RunName, above: RunName, tags: Sequence[Tag]) -> bool:
    """Whether add_scalars made it: add_scalars("loss", {"train": …}) writes only the tag "loss", to loss_train."""
    folder = below(name, above)
    return len(tags) == 1 and folder.startswith(curve_prefix(tags[0])) and folder != curve_prefix(tags[0])


def curve_name(name: RunName, above: RunName, tag: Tag) -> Tag:
    """The tag in the row of the run above: loss/train."""
    return Tag(f"{tag}/{curve_key(name, above, tag)}")


def curve_key(name: RunName, above: RunName, tag: Tag) -> str:
    """The key that add_scalars was given: train."""
    return below(name, above)[len(curve_prefix(tag)) :]


def curve_prefix(tag: Tag) -> str:
    return f"{tag.replace('/', '_')}_"


def below(name: RunName, above: RunName) -> str:
    return name if above == ROOT else name[len(above) + 1 :]


def parent_of(name: RunName) -> RunName:
    return RunName(name.rpartition("/")[0]) or ROOT


def session_above(name: RunName, sessions: Collection[RunName]) -> RunName | None:
    """The nearest run above with logged hyperparameters, except the root, which is above every run."""
    while (name := parent_of(name)) != ROOT:
        if name in sessions:
            return name
    return None


def part_above(name: RunName, runs: Collection[RunName]) -> RunName | None:
    """The trial's folder above Keras's sibling runs `train` and `validation`, whether or not it is a run."""
    if name.rpartition("/")[2] not in KERAS_PARTS:
        return None
    parent = parent_of(name)
    both = [RunName(f"{parent}/{part}") for part in KERAS_PARTS]
    return parent if parent != ROOT and all(part in runs for part in both) else None


def is_add_hparams_run(name: RunName, parent: RunName, session: Session) -> bool:
    """Whether add_hparams made it: results without curves. Below the root it has to be named by the time, too."""
    return session.is_single and (parent != ROOT or TIMESTAMP.match(name) is not None)
