"""Routes of the time series dashboard: scalars, histograms and images, several requests at a time."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import msgspec
from starlette.responses import Response

from seamark.plugin import Endpoint, ParsedRequest, RequestError, json_bytes
from seamark.serve.tensorboard.catalogue import Catalogue, SeriesByTag
from seamark.serve.tensorboard.media.blobs import Blobs
from seamark.serve.tensorboard.media.routes import image_response
from seamark.serve.tensorboard.points_json import json_object, objects_json
from seamark.serve.tensorboard.request import TensorBoardParameters, json_text, parse_form
from seamark.serve.tensorboard.time_series.descriptions import merged_descriptions

KINDS = ("scalars", "histograms", "images")


class SeriesForm(TensorBoardParameters):
    requests: str  # a JSON list of objects


class ImageDataParameters(TensorBoardParameters):
    image_id: str = msgspec.field(name="imageId")


def time_series_endpoints(catalogue: Catalogue, blobs: Blobs) -> list[Endpoint]:
    def tags(_: ParsedRequest[TensorBoardParameters, None]) -> Response:
        return json_text(catalogue.listings.get("timeseries/tags", lambda: json_bytes(tag_listing(catalogue, blobs))))

    def respond(form: SeriesForm) -> Response:
        answers = (series_json(catalogue, blobs, item) for item in parse_requests(form.requests))
        return json_text(b"[" + b",".join(answers) + b"]")

    def series_by_query(request: ParsedRequest[SeriesForm, None]) -> Response:
        return respond(request.parameters)

    def series_by_form(request: ParsedRequest[TensorBoardParameters, bytes]) -> Response:
        return respond(parse_form(SeriesForm, request))

    def image(request: ParsedRequest[ImageDataParameters, None]) -> Response:
        return image_response(blobs, request.parameters.image_id)

    summary = "The points of several series."
    return [
        Endpoint(
            path="/plugin/timeseries/tags",
            summary="The tags of scalars, histograms and images.",
            handler=tags,
        ),
        Endpoint(
            path="/plugin/timeseries/timeSeries",
            summary=summary,
            handler=series_by_query,
            pool="heavy",
        ),
        Endpoint(
            path="/plugin/timeseries/timeSeries",
            method="POST",
            summary=summary,
            handler=series_by_form,
            pool="heavy",
        ),
        Endpoint(
            path="/plugin/timeseries/imageData",
            summary="One image.",
            handler=image,
            media_type="image/*",
        ),
    ]


def tag_listing(catalogue: Catalogue, blobs: Blobs) -> dict[str, object]:
    scalars = {
        run: {tag: metadata.description for tag, metadata in table.metadata.items()}
        for run, table in catalogue.scalar_tables.all().items()
    }
    histograms, images = catalogue.series("histograms"), catalogue.series("images")
    return {
        "scalars": run_tag_info(scalars),
        "histograms": run_tag_info(descriptions_of(histograms)),
        "images": {
            "tagRunSampledInfo": sample_counts(blobs, images),
            "tagDescriptions": merged_descriptions(descriptions_of(images)),
        },
    }


def run_tag_info(descriptions: Mapping[str, Mapping[str, str]]) -> dict[str, object]:
    return {
        "runTagInfo": {run: sorted(by_tag) for run, by_tag in descriptions.items()},
        "tagDescriptions": merged_descriptions(descriptions),
    }


def descriptions_of(series: SeriesByTag) -> dict[str, dict[str, str]]:
    return {run: {tag: info.description for tag, info in by_tag.items()} for run, by_tag in series.items()}


def sample_counts(blobs: Blobs, series: SeriesByTag) -> dict[str, dict[str, dict[str, int]]]:
    found: dict[str, dict[str, dict[str, int]]] = {}
    for run, by_tag in series.items():
        for tag, info in by_tag.items():
            found.setdefault(tag, {})[run] = {"maxSamplesPerStep": blobs.max_samples(info)}
    return found


def parse_requests(text: str) -> list[Mapping[str, Any]]:
    try:
        requests = json.loads(text)
    except (ValueError, RecursionError):
        requests = None
    if not isinstance(requests, list) or not all(isinstance(item, dict) for item in requests):
        raise RequestError("requests must be a JSON list of objects", code="invalid_parameter")
    return requests


def series_json(catalogue: Catalogue, blobs: Blobs, item: Mapping[str, Any]) -> bytes:
    """The answer to one request of several; a bad one gets an error of its own."""
    plugin: Any = item.get("plugin")
    tag: Any = item.get("tag")
    run: Any = item.get("run")
    sample: Any = item.get("sample")
    members = {"plugin": json_bytes(plugin), "tag": json_bytes(tag)}
    if isinstance(run, str):
        members["run"] = json_bytes(run)
    if isinstance(sample, int):
        members["sample"] = json_bytes(sample)
    error = find_error(plugin, tag, run, sample)
    if error:
        members["error"] = json_bytes(error)
    else:
        members["runToSeries"] = run_to_series(catalogue, blobs, plugin, tag, run, sample)
    return json_object(members.items())


def find_error(plugin: object, tag: object, run: object, sample: object) -> str:
    if not isinstance(tag, str):
        return "the request names no tag"
    if plugin not in KINDS:
        return f"the plugin is one of {', '.join(KINDS)}"
    if plugin != "scalars" and not isinstance(run, str):
        return "the request names no run"
    if plugin == "images" and (not isinstance(sample, int) or sample < 0):
        return "the request names no sample, a number of 0 or more"
    return ""


def run_to_series(catalogue: Catalogue, blobs: Blobs, plugin: Any, tag: str, run: Any, sample: Any) -> bytes:
    """Without a run, scalars of all runs are sent."""
    if plugin == "scalars":
        runs = [run] if run else list(catalogue.scalar_tables.all())
        found = catalogue.scalars_of_runs(runs, tag)
        return json_object((name, objects_json(points)) for name, points in found.items())
    info = catalogue.series(plugin).get(run, {}).get(tag)
    if info is None:
        return b"{}"
    if plugin == "histograms":
        return json_object([(run, json_bytes([histogram_json(point) for point in catalogue.points(info)]))])
    entries = [
        {"wallTime": entry.wall, "step": entry.step, "imageId": entry.key.encode()}
        for entry in blobs.steps_with(info, sample)
    ]
    return json_object([(run, json_bytes(entries))] if entries else [])


def histogram_json(point: Any) -> dict[str, object]:
    bins = [{"min": low, "max": high, "count": count} for low, high, count in point.content.buckets.tolist()]
    return {"wallTime": point.wall, "step": point.step, "bins": bins}
