"""Details of one slice: arguments, stack, links, step, and the slices near it."""

from __future__ import annotations

import json
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from seamark.profiles.activity import find_activities
from seamark.profiles.analyses.steps import find_steps
from seamark.profiles.arguments import read_arguments
from seamark.profiles.form import NO_SLICE, ProfileError
from seamark.profiles.profile import Profile
from seamark.profiles.results import SliceArgument, SliceDetails
from seamark.profiles.trace_page.slice_links import field_value, launch_of, row_of, slice_links, slices_with

Direction = Literal["previous", "next", "parent", "child"]
MAX_STACK = 1_000
MAX_CHARS = 20_000  # of an argument


def slice_details(profile: Profile, index: int) -> SliceDetails:
    trace = profile.trace
    name, row = int(trace.name[index]), row_of(profile, index)
    return SliceDetails(
        slice=index,
        name=trace.names[name].text,
        category=trace.names[name].category,
        activity=int(profile.get(find_activities)[name]),
        track=int(trace.row_track[row]),
        row=row,
        depth=int(trace.row_depth[row]),
        start_ns=int(trace.start[index]),
        duration_ns=int(trace.duration[index]),
        self_ns=int(trace.self_time[index]),
        step=step_of(profile, index),
        parent=int(trace.parent[index]),
        same_name=int(profile.get(count_names)[name]),
        arguments=argument_rows(profile, index),
        stack=stack_of(profile, index),
        links=slice_links(profile, index),
    )


def argument_rows(profile: Profile, index: int) -> list[SliceArgument]:
    """Texts as they are, other values as JSON; of long ones the beginning."""
    try:
        found = read_arguments(profile, [index])[0]
        texts = {
            name: value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            for name, value in found.items()
        }
    except (OSError, ProfileError) as error:
        reason = error.strerror if isinstance(error, OSError) else error  # without the folder
        return [SliceArgument(name="arguments", value=f"cannot be read: {reason}")]
    except RecursionError:
        texts = {}
    trace = profile.trace
    if not texts and trace.argument_format == "json" and trace.argument_size[index]:
        return [SliceArgument(name="arguments", value="cannot be read: they are malformed or nested too deeply")]
    return [
        SliceArgument(name=name, value=text if len(text) <= MAX_CHARS else f"{text[:MAX_CHARS]}…")
        for name, text in texts.items()
    ]


def count_names(profile: Profile) -> NDArray[np.int64]:
    """How many slices have each name."""
    return np.bincount(profile.trace.name, minlength=len(profile.trace.names))


def step_of(profile: Profile, index: int) -> str:
    """The step that a slice starts in; work on a device belongs to the step that launched it."""
    launch = launch_of(profile, index)
    start = int(profile.trace.start[index if launch == NO_SLICE else launch])
    for step in reversed(profile.get(find_steps).steps):
        if step.start_ns <= start < step.start_ns + step.duration_ns:
            return step.name
    return ""


def stack_of(profile: Profile, index: int) -> list[str]:
    """What encloses a slice, outermost first: slices of its thread, and Python functions by id; for work on a device
    what encloses its launch, and the launch."""
    chain: list[int] = []
    launch = launch_of(profile, index)
    at = _enclosing(profile, index) if launch == NO_SLICE else launch
    while at != NO_SLICE and at not in chain and len(chain) < MAX_STACK:
        chain.append(at)
        at = _enclosing(profile, at)
    return [profile.trace.text(each) for each in reversed(chain)]


def _enclosing(profile: Profile, index: int) -> int:
    parent = int(profile.trace.parent[index])
    if parent != NO_SLICE:
        return parent
    caller = field_value(profile, "Python parent id", index)
    if caller is None:
        return NO_SLICE
    found = slices_with(profile, "Python id", caller)
    return int(found[0]) if len(found) else NO_SLICE


def near_slice(profile: Profile, index: int, direction: Direction) -> int:
    """The slice before or after in the row, around it or the first one in it; or NO_SLICE."""
    trace, row = profile.trace, row_of(profile, index)
    if direction == "parent":
        return int(trace.parent[index])
    if direction == "previous":
        return index - 1 if index > trace.row_start[row] else NO_SLICE
    if direction == "next":
        return index + 1 if index + 1 < trace.row_start[row + 1] else NO_SLICE
    return _first_child(profile, index, row)


def _first_child(profile: Profile, index: int, row: int) -> int:
    """Mostly in the row below; slices that overlap without nesting are in deeper ones."""
    trace = profile.trace
    start, end = int(trace.start[index]), int(trace.start[index] + trace.duration[index])
    track = trace.tracks[int(trace.row_track[row])]
    for below in range(row + 1, track.first_row + track.rows):
        first, last = int(trace.row_start[below]), int(trace.row_start[below + 1])
        low = first + int(np.searchsorted(trace.start[first:last], start))
        high = first + int(np.searchsorted(trace.start[first:last], end, "right"))
        children = np.flatnonzero(trace.parent[low:high] == index)
        if len(children):
            return low + int(children[0])
    return NO_SLICE
