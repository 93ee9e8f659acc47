"""Metadata that a file inherits from earlier files of its run.

A writer adds metadata to a tag's first value only. TensorFlow's FileWriter continues in a second file after `reopen`
without repeating it. Such a file is read with a seed: the entries of earlier files for the tags that lack metadata. The
seed depends on the content of the files alone, not on the order in which they are read.
"""

from __future__ import annotations

from collections.abc import Sequence

from seamark.store.read.event_file import EventFile
from seamark.store.read.series_table import SeriesEntry


def files_needing_reread(files: Sequence[EventFile]) -> list[tuple[EventFile, tuple[SeriesEntry, ...]]]:
    """Returns the files, given in order, that were read with a wrong seed, each with the right seed."""
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
            if tag not in seeded_tags:  # inherited metadata is known already, or outdated
                known.setdefault(tag, entry)
    return found
