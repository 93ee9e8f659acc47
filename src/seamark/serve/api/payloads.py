"""/api/payloads and /api/payload: the payloads of a series, and the bytes of one.

Logged bytes come from anywhere. They are sent as an image or a sound only if their first bytes identify them;
everything else is sent as a download, so that a browser never runs it as a page.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Annotated

import numpy as np
from msgspec import Meta
from starlette.requests import Request
from starlette.responses import Response

from seamark.format.types import RunName, Tag
from seamark.plugin import (
    IMMUTABLE,
    REVALIDATE,
    Endpoint,
    ErrorCase,
    ParsedRequest,
    RequestStruct,
    ResponseStruct,
    has_etag,
    make_etag,
    not_found,
)
from seamark.plugin.parameters import Index, MarkedAttemptsParameter, PayloadIndex, RunParameter, TagParameter
from seamark.serve.api.types import NO_SUCH_SERIES, UNDECODABLE, Value
from seamark.serve.http.ranges import range_response
from seamark.store import RunStore

# Without SVG, which can hold scripts.
SAFE_TYPES = frozenset(
    {
        "image/png", "image/jpeg", "image/gif", "image/webp", "image/bmp", "video/mp4", "video/webm",
        "audio/wav", "audio/mpeg", "audio/ogg", "audio/flac", "audio/mp4", "audio/x-wav",
    }
)  # fmt: skip
BINARY = "application/octet-stream"
KindParameter = Annotated[str, Meta(description="The kind, as /api/tags names it.")]


class PayloadsParameters(RequestStruct):
    run: RunParameter
    tag: TagParameter
    kind: KindParameter
    attempts: MarkedAttemptsParameter = "latest"


class PayloadsResponse(ResponseStruct):
    run: str
    tag: str
    kind: str
    index: list[int]
    steps: list[int]
    walls: list[Value]
    lengths: list[int]
    attempt: list[int]
    replaced: int  # so many at the end are of an attempt that a restart replaced


class PayloadParameters(RequestStruct):
    run: RunParameter
    tag: TagParameter
    kind: KindParameter
    index: PayloadIndex
    sample: Annotated[Index, Meta(description="Which image or clip of the step.")] = 0
    wall: Annotated[float | None, Meta(description="Its wall time: a browser may then store the response.")] = None


def payload_endpoints(store: RunStore) -> list[Endpoint]:
    def payloads(request: ParsedRequest[PayloadsParameters, None]) -> PayloadsResponse:
        wanted = request.parameters
        listed = store.payloads(wanted.run, wanted.tag, wanted.kind, attempts=wanted.attempts)
        return PayloadsResponse(
            run=wanted.run,
            tag=wanted.tag,
            kind=wanted.kind,
            index=listed.index.tolist(),
            steps=listed.steps.tolist(),
            walls=listed.walls.tolist(),
            lengths=listed.lengths.tolist(),
            attempt=listed.attempt.tolist(),
            replaced=listed.replaced,
        )

    def payload(request: ParsedRequest[PayloadParameters, None]) -> Response:
        wanted = request.parameters
        run, tag, kind, index, wall = wanted.run, wanted.tag, wanted.kind, wanted.index, wanted.wall
        if wall is not None and not was_written_at(store, run, tag, kind, index, wall):
            raise not_found(f"payload {index} of {tag!r} was not written at {wall}; list them again: run '{run}'")
        content, media_type = decode_sample(kind, store.payload(run, tag, kind, index), wanted.sample)
        return safe_response(request.http, content, media_type, REVALIDATE if wall is None else IMMUTABLE)

    return [
        Endpoint(
            path="/payloads",
            summary="The payloads of a series: images, clips, texts and so on.",
            handler=payloads,
            errors={404: NO_SUCH_SERIES},
            has_etag=True,
        ),
        Endpoint(
            path="/payload",
            summary="The bytes of one payload.",
            handler=payload,
            media_type=BINARY,
            errors={
                206: ErrorCase("The requested range.", None),
                404: NO_SUCH_SERIES,
                416: ErrorCase("There is no such range."),
                422: UNDECODABLE,
            },
        ),
    ]


def was_written_at(store: RunStore, run: RunName, tag: Tag, kind: str, index: int, wall: float) -> bool:
    listed = store.payloads(run, tag, kind, attempts="all")
    found = np.flatnonzero(listed.index == index)
    return found.size == 1 and math.isclose(listed.walls[found[0]], wall, rel_tol=0, abs_tol=1e-6)


def decode_sample(kind: str, data: bytes, sample: int) -> tuple[bytes, str]:
    """One image or clip, with the type that its first bytes identify; of other kinds the logged bytes."""
    from seamark.kinds import audio, image  # load protobuf

    samples: Sequence[image.EncodedImage | audio.Clip]
    if kind == "images":
        samples = image.decode(data).images
    elif kind == "audio":
        samples = audio.decode(data).clips
    else:
        return data, BINARY
    if sample >= len(samples):
        raise not_found(f"there is no sample {sample} in this step of {kind}: it has {len(samples)}")
    return samples[sample].data, samples[sample].mime


def safe_response(request: Request, content: bytes, media_type: str, headers: Mapping[str, str]) -> Response:
    headers = dict(headers)
    if media_type not in SAFE_TYPES:
        media_type = BINARY
        headers["content-disposition"] = "attachment"
    etag = make_etag(content)
    if has_etag(request, etag):
        return Response(status_code=304, headers={**headers, "etag": etag})
    return range_response(request, content, media_type=media_type, etag=etag, headers=headers)
