"""Routes of Images and Video: lists, thumbnails, captions, frames and archives."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta
from starlette.responses import Response, StreamingResponse

from seamark.dashboards.images.archive import ArchiveBody, ArchiveParameters, ArchiveRequest, stream_archive
from seamark.dashboards.images.captions import captions_of
from seamark.dashboards.images.decoding import DecodingThreads
from seamark.dashboards.images.frames import Frames
from seamark.dashboards.images.image_ref import KIND, ImageParameters, ImageRef
from seamark.dashboards.images.steps import StepFacts, describe_step
from seamark.dashboards.images.thumbnails import Thumbnails
from seamark.format.types import RunName, Tag
from seamark.kinds import image
from seamark.plugin import (
    IMMUTABLE,
    NO_STORE,
    REVALIDATE,
    Context,
    Endpoint,
    ErrorCase,
    NoParameters,
    ParsedRequest,
    RequestStruct,
    ResponseStruct,
    json_response,
)
from seamark.plugin.parameters import Index, MarkedAttemptsParameter, RunParameter, TagParameter
from seamark.store import RunStore

# Sides are rounded up to these, so that pages of different widths share thumbnails.
SIDES = (64, 128, 256, 512, 1024)
# A selection of ten thousand images with long names is far smaller.
MAX_BODY_BYTES = 4 << 20
# More than a card draws.
MAX_SAMPLES = 10_000
ZIP = "application/zip"
GONE = {404: ErrorCase("There is no such image.")}
UNDECODABLE = {**GONE, 422: ErrorCase("The image cannot be decoded.")}


class SeriesParameters(RequestStruct):
    run: RunParameter
    tag: TagParameter
    attempts: MarkedAttemptsParameter = "latest"


class SeriesResponse(ResponseStruct):
    """As /api/payloads, and the images of the newest step that counts."""

    run: RunName
    tag: Tag
    kind: str
    index: list[int]
    steps: list[int]
    walls: list[float]
    lengths: list[int]
    attempt: list[int]
    replaced: int
    newest: StepFacts | None


class ThumbnailParameters(ImageParameters):
    side: Annotated[Index, Meta(description="The largest width and height, in pixels.")] = SIDES[-1]


class CaptionsParameters(RequestStruct):
    run: RunParameter
    tag: TagParameter
    step: Annotated[int, Meta(description="The step.")]
    samples: Annotated[int, Meta(ge=0, le=MAX_SAMPLES, description="The number of images at the step.")] = 1


class CaptionsResponse(ResponseStruct):
    """One caption for each image, "" for those without."""

    captions: list[str]


class FramesResponse(ResponseStruct):
    durations_ms: list[int]


class FrameParameters(ImageParameters, kw_only=True):
    frame: Annotated[Index, Meta(description="The frame, counted from 0.")]


def endpoints(context: Context) -> list[Endpoint]:
    thumbnails, threads = Thumbnails(), DecodingThreads()
    return [
        *list_endpoints(context.store),
        *picture_endpoints(context.store, thumbnails, threads),
        *frame_endpoints(context.store, Frames(context.store, thumbnails.cache), threads),
        *archive_endpoints(context.store),
    ]


def list_endpoints(store: RunStore) -> list[Endpoint]:
    def series(request: ParsedRequest[SeriesParameters, None]) -> Annotated[Response, SeriesResponse]:
        parameters = request.parameters
        listed = store.payloads(parameters.run, parameters.tag, KIND, attempts=parameters.attempts)
        newest = int(listed.index[len(listed) - 1 - listed.replaced]) if len(listed) > listed.replaced else None
        content = SeriesResponse(
            run=parameters.run,
            tag=parameters.tag,
            kind=KIND,
            index=listed.index.tolist(),
            steps=listed.steps.tolist(),
            walls=listed.walls.tolist(),
            lengths=listed.lengths.tolist(),
            attempt=listed.attempt.tolist(),
            replaced=listed.replaced,
            newest=None if newest is None else describe_step(store, parameters.run, parameters.tag, newest),
        )
        return json_response(content, headers=REVALIDATE)

    def step(request: ParsedRequest[ImageParameters, None]) -> Annotated[Response, StepFacts]:
        ref = ImageRef.find(store, request.parameters)
        return json_response(describe_step(store, ref.run, ref.tag, ref.index), headers=IMMUTABLE)

    def captions(request: ParsedRequest[CaptionsParameters, None]) -> Annotated[Response, CaptionsResponse]:
        parameters = request.parameters
        found = captions_of(store, parameters.run, parameters.tag, parameters.step, samples=parameters.samples)
        return json_response(CaptionsResponse(found), headers=REVALIDATE)

    return [
        Endpoint(
            path="/series",
            summary="The steps of one series, and the images of the newest.",
            handler=series,
            errors=GONE,
        ),
        Endpoint(
            path="/step",
            summary="The types and sizes of the images of one step.",
            handler=step,
            errors=GONE,
        ),
        Endpoint(
            path="/captions",
            summary="The captions of the images of one step.",
            handler=captions,
        ),
    ]


def picture_endpoints(store: RunStore, thumbnails: Thumbnails, threads: DecodingThreads) -> list[Endpoint]:
    async def thumbnail(request: ParsedRequest[ThumbnailParameters, None]) -> Response:
        side = next((side for side in SIDES if side >= request.parameters.side), SIDES[-1])

        def make(max_pixels: int | None) -> image.EncodedImage:
            ref = ImageRef.find(store, request.parameters)
            return thumbnails.get(ref, lambda: ref.read(store), side=side, max_pixels=max_pixels)

        return image_response(await threads.run(make))

    return [
        Endpoint(
            path="/thumbnail",
            summary="One image, no larger than `side`.",
            handler=thumbnail,
            media_type="image/*",
            errors=UNDECODABLE,
        )
    ]


def frame_endpoints(store: RunStore, frame_source: Frames, threads: DecodingThreads) -> list[Endpoint]:
    def frames(request: ParsedRequest[ImageParameters, None]) -> Annotated[Response, FramesResponse]:
        durations_ms = frame_source.durations_ms(ImageRef.find(store, request.parameters))
        return json_response(FramesResponse(durations_ms), headers=IMMUTABLE)

    async def frame(request: ParsedRequest[FrameParameters, None]) -> Response:
        def make(max_pixels: int | None) -> image.EncodedImage:
            ref = ImageRef.find(store, request.parameters)
            return frame_source.png(ref, request.parameters.frame, max_pixels=max_pixels)

        return image_response(await threads.run(make))

    return [
        Endpoint(
            path="/frames",
            summary="How long each frame of a GIF is shown, in milliseconds.",
            handler=frames,
            errors=UNDECODABLE,
        ),
        Endpoint(
            path="/frame",
            summary="One frame of a GIF.",
            handler=frame,
            media_type="image/png",
            errors=UNDECODABLE,
        ),
    ]


def archive_endpoints(store: RunStore) -> list[Endpoint]:
    def by_parameters(request: ParsedRequest[ArchiveParameters, None]) -> Response:
        parameters = request.parameters
        return archive_response(
            store, ArchiveRequest(parameters.tag, parameters.run, parameters.attempts, parameters.step)
        )

    def by_body(request: ParsedRequest[NoParameters, ArchiveBody]) -> Response:
        body = request.body
        return archive_response(store, ArchiveRequest(body.tags, body.runs, body.attempts, body.step))

    summary = "The images of some tags as one ZIP file."
    return [
        Endpoint(path="/zip", summary=summary, handler=by_parameters, media_type=ZIP),
        Endpoint(
            path="/zip",
            method="POST",
            summary=summary,
            handler=by_body,
            max_body_bytes=MAX_BODY_BYTES,
            media_type=ZIP,
        ),
    ]


def archive_response(store: RunStore, request: ArchiveRequest) -> Response:
    headers = {**NO_STORE, "content-disposition": 'attachment; filename="images.zip"'}
    return StreamingResponse(stream_archive(store, request), media_type=ZIP, headers=headers)


def image_response(picture: image.EncodedImage) -> Response:
    return Response(picture.data, media_type=picture.mime, headers=dict(IMMUTABLE))
