"""The runs that a block of a report is about."""

from __future__ import annotations

import re2

from seamark.format.types import RunName
from seamark.store import RunStore
from seamark.team.together.blocks import BrokenBlock, ChartBlock, ImagesBlock, TableBlock

MAX_RUNS = 500


def chosen_runs(block: ChartBlock | TableBlock | ImagesBlock, store: RunStore) -> list[RunName] | BrokenBlock:
    """In the order of the list, or by name if a regular expression chooses them."""
    known = store.run_names()
    if isinstance(block.runs, str):
        try:
            found = sorted(run for run in known if re2.search(block.runs, run))
        except re2.error as error:
            return BrokenBlock(block.runs, f"this is not a regular expression ({error})")
    else:
        found = [RunName(run) for run in dict.fromkeys(block.runs) if run in known]
    if not found:
        wanted = block.runs if isinstance(block.runs, str) else ", ".join(block.runs)
        return BrokenBlock(wanted, "the project has none of these runs")
    return found[:MAX_RUNS]
