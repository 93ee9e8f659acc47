"""What each run contributes to a comparison; the page puts any of them side by side (site/runs/diff_answers.ts)."""

from __future__ import annotations

from typing import Any

from seamark.format.types import Tag
from seamark.publish.gather.selection import Selection
from seamark.publish.redaction import names_of_paths
from seamark.store import Store

LABEL = "comparisons"
# Of one request.
MAX_RUNS = 20
MAX_TAGS = 200
# Sections that describe the machine, and rows of others that name it.
LEFT_OUT_SECTIONS = frozenset({"environment"})
LEFT_OUT_ROWS = frozenset({("hardware", "host"), ("command", "folder"), ("run", "path")})
SYSTEM = "system/"
PER_RUN = ("final", "final_step", "best", "best_step")
PER_TAG = ("goal", "is_result")


def diff_key(run: str) -> str:
    return f"diff\0{run}"


def compared_tags(store: Store) -> list[Tag]:
    found = {tag for kinds in store.tags("scalars").values() for tag in kinds.get("scalars", ())}
    return sorted(tag for tag in found if not tag.startswith(SYSTEM))[:MAX_TAGS]


def gather_comparisons(selection: Selection) -> None:
    if len(selection.runs) < 2:
        return
    tags = compared_tags(selection.store)
    wanted = selection.changed_runs
    for start in range(0, len(wanted), MAX_RUNS):
        runs = wanted[start : start + MAX_RUNS]
        if len(runs) < 2:  # a comparison needs two
            runs = [*runs, next(run for run in selection.runs if run not in runs)]
        answer = selection.recorder.application.post("api/diff", {"runs": runs, "tags": tags})
        if not answer.is_ok:
            continue
        found = answer.json()
        for position, run in enumerate(runs):
            selection.recorder.put(diff_key(run), part_of(found, position), label=LABEL, owner=run)


def part_of(found: dict[str, Any], position: int) -> dict[str, Any]:
    """The values of one run."""
    sections = {
        section["name"]: {
            row["key"]: shown(section["name"], row["values"][position])
            for row in section["rows"]
            if row["values"][position] is not None and (section["name"], row["key"]) not in LEFT_OUT_ROWS
        }
        for section in found["sections"]
        if section["name"] not in LEFT_OUT_SECTIONS
    }
    metrics = {
        one["tag"]: {name: one[name][position] for name in PER_RUN} | {name: one[name] for name in PER_TAG}
        for one in found["metrics"]
        if one["final_step"][position] is not None
    }
    return {"sections": sections, "metrics": metrics, "git_diff": found["git_diffs"][position]}


def shown(section: str, value: object) -> object:
    return names_of_paths(value) if section == "command" and isinstance(value, str) else value
