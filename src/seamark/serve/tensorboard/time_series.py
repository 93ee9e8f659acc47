"""Time series: scalars, histograms and images, several questions in one request."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from starlette.responses import Response
from starlette.routing import Route

from seamark.kinds.safe_html import description_html
from seamark.serve.tensorboard.blobs import Blobs
from seamark.serve.tensorboard.catalogue import Catalogue, SeriesByTag, labels_of
from seamark.serve.tensorboard.media import image_answer
from seamark.serve.tensorboard.question import Question, RefusalError, as_json, route

KINDS = ("scalars", "histograms", "images")
Series = dict[str, list[dict[str, object]]]


def time_series_routes(catalogue: Catalogue, blobs: Blobs) -> list[Route]:
    def tags(_: Question) -> Response:
        histograms, images = described(catalogue.series("histograms")), catalogue.series("images")
        scalars: dict[str, dict[str, str]] = {
            run: {tag: labels_of(metadata)[2] for tag, metadata in table.metadata.items()}
            for run, table in catalogue.scalar_tables().items()
        }
        answer: dict[str, object] = {
            kind: {"runTagInfo": {run: sorted(t) for run, t in series.items()}, "tagDescriptions": descriptions(series)}
            for kind, series in (("scalars", scalars), ("histograms", histograms))
        }
        answer["images"] = {
            "tagRunSampledInfo": sampled(blobs, images),
            "tagDescriptions": descriptions(described(images)),
        }
        return as_json(answer)

    def series(question: Question) -> Response:
        return as_json([answer_one(catalogue, blobs, request) for request in requests_in(question)])

    def image(question: Question) -> Response:
        return image_answer(blobs, question.text("imageId"))

    return [
        route("/plugin/timeseries/tags", tags),
        route("/plugin/timeseries/timeSeries", series, methods=["GET", "POST"]),
        route("/plugin/timeseries/imageData", image),
    ]


def requests_in(question: Question) -> list[Mapping[str, Any]]:
    given = question.form_texts("requests") if question.method == "POST" else question.texts("requests")
    if not given or not given[0]:
        raise RefusalError("the field 'requests' is required: a JSON list of what is wanted")
    try:
        requests = json.loads(given[0])
    except (ValueError, RecursionError):
        requests = None
    if not isinstance(requests, list) or not all(isinstance(request, dict) for request in requests):
        raise RefusalError("the field 'requests' is not a JSON list of objects")
    return requests


def answer_one(catalogue: Catalogue, blobs: Blobs, request: Mapping[str, Any]) -> dict[str, object]:
    """One bad question of several is answered with an error of its own."""
    plugin: Any = request.get("plugin")
    tag: Any = request.get("tag")
    run: Any = request.get("run")
    sample: Any = request.get("sample")
    answer: dict[str, object] = {"plugin": plugin, "tag": tag}
    if isinstance(run, str):
        answer["run"] = run
    if isinstance(sample, int):
        answer["sample"] = sample
    error = mistake(plugin, tag, run, sample)
    if error:
        return {**answer, "error": error}
    if plugin == "scalars":
        return {**answer, "runToSeries": scalar_series(catalogue, [run] if run else [*catalogue.scalar_tables()], tag)}
    known = catalogue.series(plugin)
    runs = [name for name in ([run] if run else known) if tag in known.get(name, {})]
    match plugin:
        case "histograms":
            found = {name: histogram_series(catalogue, known, name, tag) for name in runs}
        case _:
            steps = {name: image_series(blobs, known, name, tag, sample) for name in runs}
            found = {name: entries for name, entries in steps.items() if entries}
    return {**answer, "runToSeries": found}


def mistake(plugin: object, tag: object, run: object, sample: object) -> str:
    if not isinstance(tag, str):
        return "the request names no tag"
    if plugin not in KINDS:
        return f"the plugin is one of {', '.join(KINDS)}"
    if plugin != "scalars" and not isinstance(run, str):
        return "the request names no run"
    if plugin == "images" and (not isinstance(sample, int) or sample < 0):
        return "the request names no sample, a number of 0 or more"
    return ""


def scalar_series(catalogue: Catalogue, runs: list[str], tag: str) -> Series:
    return {
        run: [{"wallTime": wall, "step": step, "value": value} for wall, step, value in points]
        for run, points in catalogue.scalars_of_runs(runs, tag).items()
    }


def histogram_series(catalogue: Catalogue, known: SeriesByTag, run: str, tag: str) -> list[dict[str, object]]:
    return [
        {
            "wallTime": point.wall,
            "step": point.step,
            "bins": [{"min": low, "max": high, "count": count} for low, high, count in point.content.buckets.tolist()],
        }
        for point in catalogue.points(known[run][tag])
    ]


def image_series(blobs: Blobs, known: SeriesByTag, run: str, tag: str, sample: int) -> list[dict[str, object]]:
    return [
        {"wallTime": entry.wall, "step": entry.step, "imageId": entry.key.word()}
        for entry in blobs.having(known[run][tag], sample)
    ]


def sampled(blobs: Blobs, series: SeriesByTag) -> dict[str, dict[str, dict[str, int]]]:
    found: dict[str, dict[str, dict[str, int]]] = {}
    for run, by_tag in series.items():
        for tag, info in by_tag.items():
            found.setdefault(tag, {})[run] = {"maxSamplesPerStep": blobs.most_samples(info)}
    return found


def described(series: SeriesByTag) -> dict[str, dict[str, str]]:
    return {run: {tag: info.description for tag, info in by_tag.items()} for run, by_tag in series.items()}


def descriptions(series: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """Tag → description. Where runs describe a tag differently, each description is headed by its runs."""
    runs_of: dict[str, set[str]] = {}
    texts_of: dict[str, set[str]] = {}
    for run, by_tag in series.items():
        for tag, description in by_tag.items():
            if description:
                # By text alone, whatever the tag: so TensorBoard heads them.
                runs_of.setdefault(description, set()).add(run)
                texts_of.setdefault(tag, set()).add(description)
    return {tag: description_html(joined(sorted(texts), runs_of)) for tag, texts in texts_of.items()}


def joined(texts: list[str], runs_of: Mapping[str, set[str]]) -> str:
    if len(texts) == 1:
        return texts[0]
    parts = ["# Described in several ways"]
    for text in texts:
        runs = sorted(runs_of[text])
        parts.append(f"## In {', '.join(runs)}\n{text}")
    return "\n".join(parts)
