"""Histograms under /api: one tag of one or many runs as columns, with percentiles, and with what looks unhealthy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from starlette.responses import Response

from seamark.format.types import RunName, Tag
from seamark.serve import schemas
from seamark.serve.answers import tagged
from seamark.serve.columns import MEDIA_TYPE, encode_columns
from seamark.serve.endpoint import NUMBER, TEXT, Asked, Endpoint, Parameter, array_of, choice_of
from seamark.serve.media_routes import GONE, guarded
from seamark.serve.series_query import ATTEMPTS, AXES
from seamark.store import HistogramSeries, Store, UnknownSeriesError

if TYPE_CHECKING:
    from seamark.kinds.histogram import Histogram

PARTS = ("buckets", "percentiles", "all")
Found = list[tuple[RunName, HistogramSeries]]
PARAMETERS = (
    Parameter("tag", "The tag.", TEXT, required=True),
    Parameter("run", "Which runs; repeat it for several.", array_of(TEXT), required=True),
    Parameter("axis", "The unit of start and stop.", choice_of(*AXES)),
    Parameter("start", "Where the window begins. Default: at the first histogram.", NUMBER),
    Parameter("stop", "Where the window ends. Default: at the last histogram.", NUMBER),
    Parameter(
        "most",
        "At most so many of each run, evenly spread, the last included. Default 0: all.",
        {"type": "integer", "minimum": 0, "default": 0},
    ),
    Parameter("parts", "Which columns: buckets, percentiles, or all of them.", choice_of(*PARTS)),
    Parameter("attempts", "Of a restarted run: what counts, or all.", choice_of(*ATTEMPTS)),
)


def histogram_endpoints(store: Store) -> list[Endpoint]:
    def histograms(asked: Asked) -> Response:
        found = guarded(lambda: series_of(store, asked))
        # A window shows a part of the series: what is said about its health is about the whole.
        is_whole = "start" not in asked.values and "stop" not in asked.values
        body = histogram_block(asked.text("tag"), found, parts=asked.values.get("parts", "buckets"), is_whole=is_whole)
        return tagged(asked.request, body, media_type=MEDIA_TYPE)

    return [
        Endpoint(
            path="/histograms", answer=histograms, parameters=PARAMETERS, media_type=MEDIA_TYPE, schema=schemas.BYTES,
            statuses=GONE, summary="The histograms of a tag, as columns.", is_heavy=True,
        )
    ]  # fmt: skip


def series_of(store: Store, asked: Asked) -> Found:
    """A lone run must have the tag; of many, those that have it are taken."""
    values = asked.values
    names: Sequence[str] = list(dict.fromkeys(values["run"]))
    window = {key: values[key] for key in ("attempts", "axis", "start", "stop", "most") if key in values}
    found: Found = []
    for name in map(RunName, names):
        try:
            found.append((name, store.histograms(name, Tag(asked.text("tag")), **window)))
        except UnknownSeriesError:
            if len(names) == 1:
                raise
    return found


def histogram_block(tag: str, found: Found, *, parts: str, is_whole: bool) -> bytes:
    """Histogram i is of runs[run[i]]; its buckets are the rows offsets[i] up to offsets[i + 1]."""
    from seamark.kinds import histogram  # loads protobuf

    nothing = histogram.Histogram(np.empty((0, 3)))
    all_of_them: list[Histogram] = [one or nothing for _, series in found for one in series.histograms]
    columns: dict[str, NDArray[Any]] = {
        "run": np.repeat(np.arange(len(found), dtype=np.uint32), [len(series.histograms) for _, series in found]),
        "step": joined([series.steps for _, series in found], np.int64),
        "wall": joined([series.walls for _, series in found], np.float64),
        "left_out": np.array([one.left_out for one in all_of_them], dtype=np.float64),
        "points": np.array([series.points for _, series in found], dtype=np.uint64),
        "total": np.array([series.total for _, series in found], dtype=np.uint64),
        "began": np.array([series.began for _, series in found], dtype=np.float64),
    }
    if parts != "percentiles":
        columns |= bucket_columns(all_of_them)
    if parts != "buckets":
        columns["percentiles"] = percentile_column(all_of_them)
    header = {"tag": tag, "runs": [run for run, _ in found], "problems": problems_of(found)}
    return encode_columns({**header, "health": health_of(found) if is_whole else None}, columns)


def bucket_columns(histograms: Sequence[Histogram]) -> dict[str, NDArray[Any]]:
    buckets = [one.buckets for one in histograms]
    edges = joined(buckets, np.float64).reshape(-1, 3)
    return {
        "offsets": np.cumsum([0, *(len(rows) for rows in buckets)]).astype(np.uint64),
        "left": edges[:, 0],
        "right": edges[:, 1],
        "count": edges[:, 2],
    }


def percentile_column(histograms: Sequence[Histogram]) -> NDArray[np.float64]:
    """Nine for each histogram, as TensorBoard's distributions have them; NaN for one without a value."""
    from seamark.kinds.percentiles import percentile_table

    return percentile_table([one.buckets for one in histograms]).reshape(-1)


def joined(arrays: Sequence[NDArray[Any]], dtype: type[np.generic]) -> NDArray[Any]:
    return np.concatenate(arrays) if arrays else np.empty(0, dtype)


def problems_of(found: Found) -> list[dict[str, object]]:
    """`row` counts the histograms of the answer."""
    problems: list[dict[str, object]] = []
    before = 0
    for run, series in found:
        for position, message in series.problems.items():
            problems.append({"row": before + position, "run": run, "message": message})
        before += len(series.histograms)
    return problems


def health_of(found: Found) -> list[dict[str, object]]:
    from seamark.kinds.health import hints

    return [
        {"run": run, **asdict(hint)}
        for run, series in found
        for hint in hints(series.steps.tolist(), series.histograms)
    ]
