"""/api/series: one tag of many runs as columns, by URL, by body or several in one batch."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Iterator, Sequence
from typing import Annotated, Any, Literal

import numpy as np
from msgspec import Meta, Struct
from numpy.typing import NDArray
from starlette.responses import Response

from seamark.format.types import RunName
from seamark.plugin import (
    NO_STORE,
    Endpoint,
    NoParameters,
    ParsedRequest,
    RequestError,
    RequestStruct,
    WorkerPools,
    etag_response,
    has_etag,
)
from seamark.plugin.columns import MEDIA_TYPE, compacted, encode_batch, encode_columns
from seamark.plugin.parameters import Axis, TagParameter
from seamark.serve.http.cache import SingleFlightCache
from seamark.serve.live.live import Live
from seamark.store import ROW_COLUMNS, RunStore, ScalarWindow, Smoothing

MAX_WIDTH = 100_000
MAX_BATCH = 64
# Always sent: the rows of the runs cannot be separated without them.
PER_RUN = ("offsets", "points", "total", "stored")
# Per run, on request: when the window begins, for a page that shows relative times.
BEGAN = "began"
# A batch beyond this size is cut short; the rest has to be requested alone.
MAX_BATCH_BYTES = 32 << 20


class SeriesRequest(Struct, kw_only=True, frozen=True, forbid_unknown_fields=True):
    """The query parameters of GET, and the body of POST. Equal requests share a response."""

    tag: TagParameter
    run: Annotated[
        tuple[RunName, ...] | None,
        Meta(description="Which runs; repeat it for several. Default: all that have the tag."),
    ] = None
    axis: Annotated[Axis, Meta(description="The unit of start and stop.")] = "step"
    start: Annotated[float | None, Meta(description="Where the window begins. Default: at the first point.")] = None
    stop: Annotated[float | None, Meta(description="Where the window ends. Default: at the last point.")] = None
    width: Annotated[int, Meta(ge=0, le=MAX_WIDTH, description="Pixel columns; 0: every point.")] = 0
    smoothing: Annotated[float, Meta(ge=0, lt=1, description="Weight of the moving average.")] = 0.0
    smoothing_mode: Annotated[
        Literal["fixed", "adaptive"],
        Meta(
            description="What smoothing is: the weight from each point to the next, or the half-life as a share of the "
            "visible range."
        ),
    ] = "fixed"
    visible: Annotated[
        Annotated[float, Meta(gt=0)] | None,
        Meta(description="Width of the visible range, for adaptive smoothing. Default: from start to stop."),
    ] = None
    attempts: Annotated[
        Literal["latest", "all", "marked"],
        Meta(
            description="Of a restarted run: the points that count; all, by attempt; or both, with the points that the "
            "restart replaced marked."
        ),
    ] = "latest"
    columns: Annotated[
        tuple[str, ...] | None, Meta(description="Which columns, separated by commas. Default: all.")
    ] = None
    edges: Annotated[bool, Meta(description="Also the nearest point outside the window on either side.")] = False
    encoding: Annotated[
        Literal["exact", "compact"], Meta(description="compact: values as float32, columns that all runs share once.")
    ] = "exact"


class BatchBody(RequestStruct):
    requests: Annotated[list[SeriesRequest], Meta(min_length=1, max_length=MAX_BATCH)]


def series_endpoints(store: RunStore, live: Live, pools: WorkerPools) -> list[Endpoint]:
    # Versions start anew with every server; the prefix makes ETags of an earlier one invalid.
    etag_prefix = secrets.token_hex(4)
    cache = SingleFlightCache(lambda: store.version)

    def freshness(request: SeriesRequest) -> Callable[[int], bool]:
        return lambda version: live.announced.covers(request.tag, version, store.version)

    def make_block(request: SeriesRequest) -> tuple[bytes, int]:
        return cache.get(request, lambda: series_block(store, request), is_fresh=freshness(request))

    async def get_block(request: SeriesRequest) -> tuple[bytes, int]:
        # A cached response does not queue behind those that are being made.
        ready = cache.peek(request, is_fresh=freshness(request))
        return ready if ready is not None else await pools.run(lambda: make_block(request), pool="heavy")

    async def get(request: ParsedRequest[SeriesRequest, None]) -> Response:
        series = request.parameters
        digest = hashlib.blake2b(repr(series).encode(errors="surrogatepass"), digest_size=8).hexdigest()
        unchanged = f'"{etag_prefix}-{store.version}-{digest}"'
        if has_etag(request.http, unchanged):
            return etag_response(request.http, b"", media_type=MEDIA_TYPE, etag=unchanged)
        # The version is taken before the block is made: at worst a block newer than its ETag is requested again.
        block, version = await get_block(series)
        etag = f'"{etag_prefix}-{version}-{digest}"'
        return etag_response(request.http, block, media_type=MEDIA_TYPE, etag=etag)

    async def post(request: ParsedRequest[NoParameters, SeriesRequest]) -> Response:
        block, _ = await get_block(request.body)
        return Response(block, media_type=MEDIA_TYPE, headers=dict(NO_STORE))

    def batch_blocks(requests: Sequence[SeriesRequest]) -> Iterator[bytes | str]:
        bytes_left = MAX_BATCH_BYTES
        for request in requests:
            try:
                block: bytes | str = (
                    make_block(request)[0] if bytes_left > 0 else "the batch is too large: request this series alone"
                )
            except RequestError as error:
                block = str(error)
            bytes_left -= len(block)
            yield block

    def batch(request: ParsedRequest[NoParameters, BatchBody]) -> Response:
        body = encode_batch(batch_blocks(request.body.requests))
        return Response(body, media_type=MEDIA_TYPE, headers=dict(NO_STORE))

    return [
        Endpoint(
            path="/series",
            summary="One tag of many runs, as columns.",
            handler=get,
            media_type=MEDIA_TYPE,
        ),
        Endpoint(
            path="/series",
            method="POST",
            summary="The same, with the parameters in a JSON object.",
            handler=post,
            media_type=MEDIA_TYPE,
        ),
        Endpoint(
            path="/series/batch",
            method="POST",
            summary="Several such requests in one.",
            handler=batch,
            media_type=MEDIA_TYPE,
            pool="heavy",
        ),
    ]


def series_block(store: RunStore, request: SeriesRequest) -> bytes:
    # The store leaves out runs that do not have the tag. Not store.runs(), which looks at every file of every run.
    runs = store.run_names() if request.run is None else list(dict.fromkeys(request.run))
    names = None if request.columns is None else [name for part in request.columns for name in part.split(",")]
    window = store.scalars(
        runs,
        request.tag,
        axis=request.axis,
        start=request.start,
        stop=request.stop,
        max_points=request.width,
        smoothing=Smoothing(request.smoothing, request.smoothing_mode, request.visible),
        attempts=request.attempts,
        edges=request.edges,
        columns=None if names is None else row_columns(names),
    )
    columns, shared = window_columns(window, names), set[str]()
    if request.encoding == "compact":
        columns, shared = compacted(columns, per_run=(*PER_RUN, BEGAN, "weight"))
    return encode_columns({"tag": window.tag, "axis": window.axis, "runs": window.runs}, columns, shared=shared)


def row_columns(names: Sequence[str]) -> list[str]:
    """The columns that the store has to read for the requested ones."""
    return [name for name in ROW_COLUMNS if name in names or (name == "wall" and BEGAN in names)]


def first_walls(window: ScalarWindow) -> NDArray[np.float64]:
    """The earliest wall time of each run, which after a restart need not be in its first row; NaN without rows."""
    starts = window.offsets[:-1].astype(np.int64)
    has_rows = np.diff(window.offsets.astype(np.int64)) > 0
    walls = np.full(len(starts), np.nan)
    if has_rows.any():
        walls[has_rows] = np.minimum.reduceat(window.wall, starts[has_rows])
    return walls


def window_columns(window: ScalarWindow, names: Sequence[str] | None) -> dict[str, NDArray[Any]]:
    """The requested columns of a window; `smoothed`, `attempt` and `replaced` only where it has such values."""
    possible = [*(name for name in window.__struct_fields__ if name not in ("tag", "axis", "runs")), BEGAN]
    unknown = set(names or ()) - set(possible)
    if unknown:
        sentence = f"columns must be some of {', '.join(possible)}, got {min(unknown)!r}"
        raise RequestError(sentence, code="invalid_parameter")
    wanted = [name for name in possible[:-1] if names is None or name in names or name in PER_RUN]
    if window.replaced is not None and not window.replaced.any():
        wanted = [name for name in wanted if name not in ("attempt", "replaced")]
    columns = {name: getattr(window, name) for name in wanted}
    found = {name: column for name, column in columns.items() if column is not None}
    return {**found, BEGAN: first_walls(window)} if names is not None and BEGAN in names else found
