"""torch's add_hparams writes a run of its own below the run that calls it: such runs belong to the run above."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from seamark.compare.flatten import Scalar
from seamark.format.types import RunName

# str(time.time()), which torch takes as the name.
TIMESTAMP = re.compile(r"\d{9,11}(\.\d+)?$")
ROOT = RunName(".")


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


def parent_of(name: RunName) -> RunName:
    return RunName(name.rpartition("/")[0]) or ROOT


def session_above(name: RunName, sessions: Collection[RunName]) -> RunName | None:
    """The nearest run above that noted hyperparameters; the root does not count: everything lies below it."""
    while (name := parent_of(name)) != ROOT:
        if name in sessions:
            return name
    return None


def is_note(name: RunName, parent: RunName, session: Session) -> bool:
    """Named by the time, or by `run_name=`. Everything lies below the root: there only the name tells."""
    if TIMESTAMP.match(name.rpartition("/")[2]):
        return True
    return parent != ROOT and session.is_single
