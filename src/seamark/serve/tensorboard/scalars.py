"""Scalars: every point as [wall time, step, value], as JSON or CSV; and the custom scalars built on them."""

from __future__ import annotations

import csv
import io

from starlette.responses import Response
from starlette.routing import Route

from seamark.kinds import custom_scalars as layouts
from seamark.kinds.custom_scalars import Layout
from seamark.kinds.patterns import BadPatternError, matching_tags
from seamark.kinds.safe_html import description_html
from seamark.serve.answers import json_bytes
from seamark.serve.tensorboard.catalogue import Catalogue, ScalarPoint, display_name
from seamark.serve.tensorboard.question import Question, RefusalError, answer, as_json, as_text, route


def scalar_routes(catalogue: Catalogue) -> list[Route]:
    def tags(_: Question) -> Response:
        return answer(joined_tags(catalogue), "application/json")

    def scalars(question: Question) -> Response:
        points = catalogue.scalars(question.text("run"), question.text("tag"))
        return as_csv(points) if question.optional("format") == "csv" else as_json(points)

    def scalars_multirun(question: Question) -> Response:
        given = question.form_texts("tag")
        if len(given) != 1:
            raise RefusalError(f"want the field 'tag' exactly once, got it {len(given)} times")
        return as_json(catalogue.scalars_of_runs(question.form_texts("runs"), given[0]))

    return [
        route("/plugin/scalars/tags", tags),
        route("/plugin/scalars/scalars", scalars),
        route("/plugin/scalars/scalars_multirun", scalars_multirun, methods=["POST"]),
        route("/plugin/custom_scalars/download_data", scalars),
        route("/plugin/custom_scalars/scalars", lambda question: as_json(matching(catalogue, question))),
        route("/plugin/custom_scalars/layout", lambda _: as_json(layout_of(catalogue))),
    ]


def joined_tags(catalogue: Catalogue) -> bytes:
    """What `described_tags` says of scalars; of each run only what changed is written anew."""
    parts = (json_bytes(run) + b":" + table.json for run, table in catalogue.scalar_tables().items())
    return b"{" + b",".join(parts) + b"}"


def described_tags(catalogue: Catalogue, kind: str) -> dict[str, dict[str, dict[str, str]]]:
    """Run → tag → what to call it and what it is about."""
    return {
        run: {
            tag: {"displayName": display_name(info), "description": description_html(info.description)}
            for tag, info in by_tag.items()
        }
        for run, by_tag in catalogue.series(kind).items()
    }


def as_csv(points: list[ScalarPoint]) -> Response:
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["Wall time", "Step", "Value"])
    writer.writerows(points)
    return as_text(out.getvalue(), "text/csv")


def scalar_tags(catalogue: Catalogue, run: str) -> list[str]:
    table = catalogue.scalar_tables().get(run)
    return list(table.metadata) if table is not None else []


def matching(catalogue: Catalogue, question: Question) -> dict[str, object]:
    """The scalars of a run whose tags begin with a match of the pattern; a bad pattern is an answer, not an error."""
    run = question.optional("run") or ""
    try:
        tags = matching_tags(question.optional("tag") or "", scalar_tags(catalogue, run))
    except BadPatternError:
        return {"regex_valid": False, "tag_to_events": {}}
    run = question.text("run")
    return {"regex_valid": True, "tag_to_events": {tag: catalogue.scalars(run, tag) for tag in tags}}


def layout_of(catalogue: Catalogue) -> dict[str, object]:
    """The newest layout of each run, joined in order of run names."""
    series = catalogue.series(layouts.PLUGIN_NAME)
    found: list[Layout] = [
        point.content
        for _, by_tag in sorted(series.items())
        if layouts.TAG in by_tag
        for point in catalogue.points(by_tag[layouts.TAG], last_only=True)
    ]
    if not found:
        return {}
    return layouts.as_json(layouts.merge(found))
