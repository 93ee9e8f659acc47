"""Comparing runs: groups of them, what mattered, and what differs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from starlette.responses import Response

from seamark.compare.diff import RunFacts, flattened, read_git_diff, sections_of
from seamark.compare.metric_diff import metric_rows, tags_to_compare
from seamark.compare.run_folder import read_record
from seamark.format.types import RunName, Tag
from seamark.serve import compare_schemas as schemas
from seamark.serve.answers import BadRequestError, as_json
from seamark.serve.endpoint import Asked, Endpoint, in_thread
from seamark.serve.run_routes import NO_RUN, known_run
from seamark.serve.series_query import json_object, names, read_body
from seamark.store import Store

MAX_DIFF_RUNS = 20


def compare_endpoints(store: Store) -> list[Endpoint]:
    async def diff(asked: Asked) -> Response:
        body = await read_body(asked.request)
        return await in_thread(lambda: as_json(diff_answer(store, json_object(body))), is_heavy=True)

    return [
        Endpoint(
            path="/diff", method="POST", stream=diff, body=schemas.DIFF_BODY, schema=schemas.DIFF, statuses=NO_RUN,
            summary="What differs between runs, and where their curves part.",
        ),
    ]  # fmt: skip


def diff_answer(store: Store, given: Mapping[str, Any]) -> dict[str, Any]:
    refuse_unknown(given, ("runs", "tags"))
    runs = [RunName(run) for run in dict.fromkeys(names(given, "runs") or [])]
    if not 2 <= len(runs) <= MAX_DIFF_RUNS:
        raise BadRequestError(f"runs names 2 to {MAX_DIFF_RUNS} different runs, got {len(runs)}")
    problems: list[str] = []
    facts = [facts_of(store, run, problems) for run in runs]
    wanted = names(given, "tags")
    tags, left_out = ([Tag(tag) for tag in wanted], 0) if wanted is not None else tags_to_compare(store, runs)
    defined = [metric for run in facts if run.record for metric in run.record.metrics]
    return {
        "runs": runs,
        "sections": [asdict(section) for section in sections_of(facts)],
        "metrics": [asdict(row) for row in metric_rows(store, runs, tags, defined)],
        "tags_left_out": left_out,
        "git_diffs": [run.git_diff for run in facts],
        "problems": problems,
    }


def facts_of(store: Store, run: RunName, problems: list[str]) -> RunFacts:
    info = known_run(store, run)
    record, problem = read_record(info.path)
    if problem:
        problems.append(problem)
    return RunFacts(run, record, flattened(record.config) if record else {}, read_git_diff(info.path, record))


def refuse_unknown(given: Mapping[str, Any], known: tuple[str, ...]) -> None:
    unknown = sorted(set(given) - set(known))
    if unknown:
        raise BadRequestError(f"unknown parameter '{unknown[0]}', want one of {', '.join(known)}")
