"""What a file of a run takes over from earlier ones: metadata belongs to the run.

A writer says what a tag is with its first value only; TensorFlow's FileWriter goes on in a second file, after `reopen`,
without saying it again. Such a file is read with a seed: the entries that earlier files have for the tags it lacks
metadata for. The seed follows from what the files hold alone, so it is the same whichever of them was read first.
"""

from __future__ import annotations

from collections.abc import Sequence

from seamark.store.event_file import EventFile
from seamark.store.series_table import SeriesEntry


def misfits(files: Sequence[EventFile]) -> list[tuple[EventFile, tuple[SeriesEntry, ...]]]:
    """The files of a run, given in order, that were read with another seed than they should be, and that seed."""
    states = [file.state for file in files]
    if not any(state.seeded or state.table.bare_tags for state in states):
        return []
    found = []
    known: dict[bytes, SeriesEntry] = {}
    for file, state in zip(files, states, strict=True):
        seeded_tags = {tag for tag, _, _ in state.seed}
        seed = tuple(known[tag] for tag in sorted(state.table.bare_tags | seeded_tags) if tag in known)
        if seed != state.seed:
            found.append((file, seed))
        for tag, entry in state.table.described.items():
            if tag not in seeded_tags:  # what it took over is known already, or no longer true
                known.setdefault(tag, entry)
    return found
