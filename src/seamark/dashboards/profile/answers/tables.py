"""Tables as CSV: a column for each field of the result, with its unit in the name, such as `self_ns`."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from seamark.profiles.activity import Activity
from seamark.profiles.analyses.compile import find_compile
from seamark.profiles.analyses.input_pipeline import find_input_pipeline
from seamark.profiles.analyses.kernels import find_kernels
from seamark.profiles.analyses.memory import find_memory
from seamark.profiles.analyses.operators import find_operators, find_operators_by_shapes
from seamark.profiles.analyses.overview import find_overview
from seamark.profiles.analyses.roofline import find_roofline
from seamark.profiles.analyses.trees.modules import find_modules
from seamark.profiles.analyses.trees.stacks import find_call_tree
from seamark.profiles.profile import Profile
from seamark.profiles.results import BREAKDOWN_PARTS, Result, StackTree
from seamark.store import escape_formula

Row = Mapping[str, Any]
# Positions in a profile mean nothing in a table.
LEFT_OUT = frozenset({"longest", "slice", "slices", "parent"})


def table_csv(profile: Profile, table: str) -> str:
    return write_csv(TABLES[table](profile))


def write_csv(rows: Iterable[Row]) -> str:
    """The columns are those of the first row."""
    text = io.StringIO()
    writer: csv.DictWriter[str] | None = None
    for row in rows:
        if writer is None:
            writer = csv.DictWriter(text, list(row), lineterminator="\n")
            writer.writeheader()
        writer.writerow(row)
    return text.getvalue()


def rows_of(results: Sequence[Result]) -> Iterable[Row]:
    for result in results:
        yield {
            name: cell(name, value) for name, value in msgspec.structs.asdict(result).items() if name not in LEFT_OUT
        }


def cell(name: str, value: Any) -> Any:
    """Empty for what the trace cannot give."""
    if name == "activity":
        return Activity(value).name.lower()
    if isinstance(value, bool):
        return "yes" if value else "no"
    return escape_formula(value) if isinstance(value, str) else value


def tree_rows(tree: StackTree) -> Iterable[Row]:
    """With the path from the root, since a table has no levels."""
    paths: list[tuple[str, ...]] = []
    for node, row in zip(tree.nodes, rows_of(tree.nodes), strict=True):
        paths.append((*(paths[node.parent] if node.parent >= 0 else ()), node.name))
        yield {"level": len(paths[-1]) - 1, "path": escape_formula(" > ".join(paths[-1])), **row}


def stage_rows(profile: Profile) -> Iterable[Row]:
    stages = profile.get(find_input_pipeline).stages
    for stage, row in zip(stages, rows_of(stages), strict=True):
        yield {**row, "parent": stages[stage.parent].name if stage.parent >= 0 else ""}


def step_rows(profile: Profile) -> Iterable[Row]:
    for step in profile.get(find_overview).steps:
        parts = {f"{part}_ns": step.breakdown.get(part, 0) for part in BREAKDOWN_PARTS}
        yield {
            "name": step.name,
            "number": step.number,
            "start_ns": step.start_ns,
            "duration_ns": step.duration_ns,
            **parts,
            "note": step.note,
        }


TABLES: Mapping[str, Callable[[Profile], Iterable[Row]]] = {
    "steps": step_rows,
    "operators": lambda profile: rows_of(profile.get(find_operators).rows),
    "operators_by_shapes": lambda profile: rows_of(profile.get(find_operators_by_shapes).rows),
    "call_tree": lambda profile: tree_rows(profile.get(find_call_tree)),
    "kernels": lambda profile: rows_of(profile.get(find_kernels).rows),
    "memory": lambda profile: rows_of(profile.get(find_memory).at_peak),
    "memory_operators": lambda profile: rows_of(profile.get(find_memory).operators),
    "input": stage_rows,
    "modules": lambda profile: tree_rows(profile.get(find_modules).tree),
    "compile": lambda profile: rows_of(profile.get(find_compile).rows),
    "roofline": lambda profile: rows_of(profile.get(find_roofline).rows),
}
