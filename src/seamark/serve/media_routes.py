"""Payloads under /api: lists of them, and their bytes.

Logged bytes come from anywhere. Only what is an image or a sound by its first bytes is sent as one; everything else is
a download, so that no browser ever runs it as a page.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import numpy as np
from starlette.requests import Request
from starlette.responses import Response

from seamark.format.types import RunName, Tag
from seamark.serve import schemas
from seamark.serve.answers import (
    REVALIDATE,
    BadRequestError,
    NotFoundError,
    as_tagged_json,
    etag_of,
    has_already,
)
from seamark.serve.endpoint import TEXT, Asked, Endpoint, Parameter, choice_of
from seamark.serve.ranges import ranged
from seamark.store import PayloadGoneError, Store, UnknownSeriesError

T = TypeVar("T")
# SVG is not among them: it can hold scripts.
SAFE_TYPES = frozenset(
    {
        "image/png", "image/jpeg", "image/gif", "image/webp", "image/bmp", "video/mp4", "video/webm",
        "audio/wav", "audio/mpeg", "audio/ogg", "audio/flac", "audio/mp4", "audio/x-wav",
    }
)  # fmt: skip
# Of an address that names the payload by its wall time too: it never means another one.
IMMUTABLE = {"cache-control": "private, max-age=31536000, immutable"}
INDEX = {"type": "integer", "minimum": 0}
GONE = {404: "There is no such run, tag or payload."}


def media_endpoints(store: Store) -> list[Endpoint]:
    def payloads(asked: Asked) -> Response:
        run, tag, kind = RunName(asked.text("run")), Tag(asked.text("tag")), asked.text("kind")
        listed = guarded(lambda: store.payloads(run, tag, kind, attempts=asked.values.get("attempts", "latest")))
        return as_tagged_json(
            asked.request,
            {
                "run": run,
                "tag": tag,
                "kind": kind,
                "index": listed.index.tolist(),
                "steps": listed.steps.tolist(),
                "walls": listed.walls.tolist(),
                "lengths": listed.lengths.tolist(),
                "attempt": listed.attempt.tolist(),
            },
        )

    def payload(asked: Asked) -> Response:
        run, tag, kind = RunName(asked.text("run")), Tag(asked.text("tag")), asked.text("kind")
        index, wall = asked.values["index"], asked.values.get("wall")
        if wall is not None and not is_written_at(store, run, tag, kind, index, wall):
            raise NotFoundError(f"payload {index} of {tag!r} was not written at {wall}; list them again: run '{run}'")
        data = guarded(lambda: store.payload(run, tag, kind, index))
        content, media_type = part_of(kind, data, asked.values.get("sample", 0))
        return safe_answer(asked.request, content, media_type, IMMUTABLE if wall is not None else REVALIDATE)

    run, tag = Parameter("run", "The run.", TEXT, required=True), Parameter("tag", "The tag.", TEXT, required=True)
    kind = Parameter("kind", "The kind, as /api/tags names it.", TEXT, required=True)
    attempts = Parameter("attempts", "Of a restarted run: what counts, or all.", choice_of("latest", "all"))
    index = Parameter("index", "Which one, as /api/payloads numbers them.", INDEX, required=True)
    sample = Parameter("sample", "Which image or clip of the step.", {**INDEX, "default": 0})
    wall = Parameter("wall", "Its wall time: the answer may then be kept for good.", {"type": "number"})
    return [
        Endpoint(
            path="/payloads", answer=payloads, parameters=(run, tag, kind, attempts), schema=schemas.PAYLOADS,
            statuses=GONE, summary="The payloads of a series: images, clips, texts ….",
        ),
        Endpoint(
            path="/payload", answer=payload, parameters=(run, tag, kind, index, sample, wall), schema=schemas.BYTES,
            media_type="application/octet-stream", summary="The bytes of one payload.",
            statuses={**GONE, 206: "The range asked for.", 416: "There is no such range."},
        ),
    ]  # fmt: skip


def guarded(answer: Callable[[], T]) -> T:
    """What the store cannot find is a 404 with its sentence."""
    try:
        return answer()
    except (UnknownSeriesError, PayloadGoneError) as error:
        raise NotFoundError(str(error)) from error
    except ValueError as error:  # also kinds.DecodeError
        raise BadRequestError(f"what the run logged cannot be read: {error}") from error


def is_written_at(store: Store, run: RunName, tag: Tag, kind: str, index: int, wall: float) -> bool:
    listed = guarded(lambda: store.payloads(run, tag, kind, attempts="all"))
    found = np.flatnonzero(listed.index == index)
    return found.size == 1 and math.isclose(listed.walls[found[0]], wall, rel_tol=0, abs_tol=1e-6)


def part_of(kind: str, data: bytes, sample: int) -> tuple[bytes, str]:
    """The image or clip itself, with the type its first bytes say; of other kinds what was logged, as it is."""
    from seamark.kinds import audio, image  # load protobuf

    parts: Sequence[image.EncodedImage | audio.Clip]
    if kind == "images":
        parts = guarded(lambda: image.decode(data)).images
    elif kind == "audio":
        parts = guarded(lambda: audio.decode(data)).clips
    else:
        return data, "application/octet-stream"
    if sample >= len(parts):
        raise NotFoundError(f"there is no sample {sample} in this step of {kind}: it has {len(parts)}")
    return parts[sample].data, parts[sample].mime


def safe_answer(request: Request, content: bytes, media_type: str, headers: Mapping[str, str]) -> Response:
    if media_type in SAFE_TYPES:
        told = dict(headers)
    else:
        media_type = "application/octet-stream"
        told = {**headers, "content-disposition": "attachment"}
    etag = etag_of(content)
    if has_already(request, etag):
        return Response(status_code=304, headers={**told, "etag": etag})
    return ranged(request, content, media_type=media_type, etag=etag, headers=told)
