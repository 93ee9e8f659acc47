"""Images: what every run drew at every step, in cards, grids and side by side."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from seamark.dashboards.images.archive import ArchiveWish, archive
from seamark.dashboards.images.asking import (
    IMMUTABLE,
    KIND,
    RefusalError,
    Wanted,
    answered,
    answered_async,
    attempts_of,
    signed,
    text,
    whole,
)
from seamark.dashboards.images.captions import captions_of
from seamark.dashboards.images.decoding import DecodingThreads
from seamark.dashboards.images.thumbnails import Thumbnails, size_fault
from seamark.dashboards.images.videos import Frames, video_tags_of
from seamark.format.types import RunName, Tag
from seamark.kinds import image
from seamark.kinds.image_faults import fault_of
from seamark.kinds.image_frames import canvas_of
from seamark.kinds.payload import DecodeError
from seamark.plugin import BodyError, Context, Dashboard, as_json, read_body
from seamark.store import Store

# Sizes are rounded up to these, so that a page of another width finds what was made before.
SIDES = (64, 128, 256, 512, 1024)
# A choice of ten thousand images with long names stays well below.
MAX_BODY_BYTES = 4 << 20
# More than a card draws.
MAX_SAMPLES = 10_000


def routes(context: Context) -> Sequence[Route]:
    store, thumbnails, threads = context.store, Thumbnails(), DecodingThreads()
    video_tags, frame_source = video_tags_of(store), Frames(store, thumbnails.cache)

    @answered
    def series(request: Request) -> Response:
        """The list of one series, as /api/payloads has it, with what is in the newest entry."""
        run, tag = RunName(text(request, "run")), Tag(text(request, "tag"))
        listed = store.payloads(run, tag, KIND, attempts=attempts_of(request.query_params.get("attempts", "latest")))
        answer = {
            "run": run,
            "tag": tag,
            "kind": KIND,
            "index": listed.index.tolist(),
            "steps": listed.steps.tolist(),
            "walls": listed.walls.tolist(),
            "lengths": listed.lengths.tolist(),
            "attempt": listed.attempt.tolist(),
        }
        newest = described(store, run, tag, int(listed.index[-1])) if len(listed) else None
        return as_json({**answer, "newest": newest}, headers={"cache-control": "private, no-cache"})

    @answered
    def step(request: Request) -> Response:
        """What one step holds: its samples, their kinds and sizes, and what is wrong with them."""
        wanted = Wanted.by(request).checked(store)
        return as_json(described(store, wanted.run, wanted.tag, wanted.index), headers=IMMUTABLE)

    async def thumbnail(request: Request) -> Response:
        asked = whole(request, "side", SIDES[-1])
        side = next((side for side in SIDES if side >= asked), SIDES[-1])

        def make(max_pixels: int | None) -> image.EncodedImage:
            wanted = Wanted.by(request).checked(store)
            return thumbnails.get(wanted, lambda: wanted.image(store), side=side, max_pixels=max_pixels)

        made = await threads.run(make)
        return Response(made.data, media_type=made.mime, headers=IMMUTABLE)

    @answered
    def captions(request: Request) -> Response:
        """What is written below the pictures of one step."""
        run, tag = RunName(text(request, "run")), Tag(text(request, "tag"))
        samples = whole(request, "samples", 1, most=MAX_SAMPLES)
        found = captions_of(store, run, tag, signed(request, "step"), samples=samples)
        return as_json({"captions": found}, headers={"cache-control": "private, no-cache"})

    async def as_zip(request: Request) -> Response:
        """A choice that is too long for an address comes as JSON in the body."""
        wish = ArchiveWish.by(request) if request.method == "GET" else ArchiveWish.of_body(await body_of(request))
        told = {"content-disposition": 'attachment; filename="images.zip"', "cache-control": "no-store"}
        return StreamingResponse(archive(store, wish), media_type="application/zip", headers=told)

    @answered
    def videos(_: Request) -> Response:
        """The tags that are videos, with the runs in which they are."""
        return as_json({"tags": video_tags.listed()}, headers={"cache-control": "private, no-cache"})

    @answered
    def frames(request: Request) -> Response:
        """How long each frame of a GIF stays, in milliseconds."""
        wanted = Wanted.by(request).checked(store)
        return as_json({"durations_ms": frame_source.durations_ms(wanted)}, headers=IMMUTABLE)

    async def frame(request: Request) -> Response:
        number = whole(request, "frame")

        def make(max_pixels: int | None) -> image.EncodedImage:
            return frame_source.png(Wanted.by(request).checked(store), number, max_pixels=max_pixels)

        made = await threads.run(make)
        return Response(made.data, media_type=made.mime, headers=IMMUTABLE)

    return [
        Route("/series", series),
        Route("/step", step),
        Route("/thumbnail", answered_async(thumbnail)),
        Route("/captions", captions),
        Route("/videos", videos),
        Route("/frames", frames),
        Route("/frame", answered_async(frame)),
        Route("/zip", answered_async(as_zip), methods=["GET", "POST"]),
    ]


async def body_of(request: Request) -> bytes:
    try:
        return await read_body(request, max_bytes=MAX_BODY_BYTES)
    except BodyError as error:
        raise RefusalError(str(error), status_code=413) from None


def described(store: Store, run: RunName, tag: Tag, index: int) -> dict[str, object]:
    """One payload that cannot be decoded is told like one whose image is damaged: the others are shown all the same."""
    try:
        found = image.decode(store.payload(run, tag, KIND, index))
    except DecodeError as error:
        return {"index": index, "width": 0, "height": 0, "samples": [], "fault": f"cannot be read: {error}"}
    samples = [described_sample(sample) for sample in found.images]
    fault = "" if samples else "this step has no image: a writer logged an empty list"
    return {"index": index, "width": found.width, "height": found.height, "samples": samples, "fault": fault}


def described_sample(sample: image.EncodedImage) -> dict[str, object]:
    size = canvas_of(sample.data)
    is_video = sample.mime.startswith("video/")
    fault = fault_of(sample.data)
    # A browser would try to decode it, and take gigabytes or fall over.
    refusal = "" if is_video or sample.mime == image.UNKNOWN_MIME else size_fault(sample.data)
    return {
        "mime": sample.mime,
        "width": size[0] if size else None,
        "height": size[1] if size else None,
        "bytes": len(sample.data),
        "fault": refusal or fault,
        "is_shown": not refusal and sample.mime != image.UNKNOWN_MIME,
    }


dashboard = Dashboard(name="images", title="Images", order=30, kinds=("images",), routes=routes)
