"""/api/histograms: one tag of one or many runs as columns, with percentiles and health hints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray
from starlette.responses import Response

from seamark.format.types import RunName
from seamark.plugin import Endpoint, ParsedRequest, RequestStruct, etag_response
from seamark.plugin.columns import MEDIA_TYPE, encode_columns
from seamark.plugin.parameters import Axis, Index, MarkedAttemptsParameter, TagParameter
from seamark.serve.api.types import NO_SUCH_SERIES, UNDECODABLE
from seamark.store import HistogramSeries, RunStore, UnknownSeriesError

if TYPE_CHECKING:
    from seamark.kinds.histogram import Histogram

Found = list[tuple[RunName, HistogramSeries]]


class HistogramsParameters(RequestStruct):
    tag: TagParameter
    run: Annotated[tuple[RunName, ...], Meta(description="Which runs; repeat it for several.")]
    axis: Annotated[Axis, Meta(description="The unit of start and stop.")] = "step"
    start: Annotated[float | None, Meta(description="Where the window begins. Default: at the first histogram.")] = None
    stop: Annotated[float | None, Meta(description="Where the window ends. Default: at the last histogram.")] = None
    limit: Annotated[Index, Meta(description="At most so many of each run, evenly spread, with the last; 0: all.")] = 0
    parts: Annotated[Literal["buckets", "percentiles", "all"], Meta(description="Which columns.")] = "buckets"
    attempts: MarkedAttemptsParameter = "latest"


def histogram_endpoints(store: RunStore) -> list[Endpoint]:
    def histograms(request: ParsedRequest[HistogramsParameters, None]) -> Response:
        wanted = request.parameters
        # Health hints are about the whole series: a window has none.
        is_whole = wanted.start is None and wanted.stop is None
        body = histogram_block(wanted.tag, read_series(store, wanted), parts=wanted.parts, is_whole=is_whole)
        return etag_response(request.http, body, media_type=MEDIA_TYPE)

    return [
        Endpoint(
            path="/histograms",
            summary="The histograms of a tag, as columns.",
            handler=histograms,
            media_type=MEDIA_TYPE,
            errors={404: NO_SUCH_SERIES, 422: UNDECODABLE},
            pool="heavy",
        )
    ]


def read_series(store: RunStore, wanted: HistogramsParameters) -> Found:
    """A single run must have the tag; of several runs, those without it are left out."""
    names = list(dict.fromkeys(wanted.run))
    found: Found = []
    for name in names:
        try:
            series = store.histograms(
                name,
                wanted.tag,
                attempts=wanted.attempts,
                axis=wanted.axis,
                start=wanted.start,
                stop=wanted.stop,
                limit=wanted.limit,
            )
            found.append((name, series))
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
        "replaced": np.array([series.replaced for _, series in found], dtype=np.uint64),
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
    from seamark.kinds.statistics.percentiles import percentile_table

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
    from seamark.kinds.statistics.health import hints

    return [
        {"run": run, **asdict(hint)}
        for run, series in found
        for counted in [len(series.histograms) - series.replaced]
        for hint in hints(series.steps[:counted].tolist(), series.histograms[:counted])
    ]
