"""Describes the images of a step: their types and sizes, and why one cannot be shown."""

from __future__ import annotations

from seamark.dashboards.images.image_ref import KIND
from seamark.dashboards.images.thumbnails import find_size_fault
from seamark.format.types import RunName, Tag
from seamark.kinds import DecodeError, image
from seamark.kinds.media.image_faults import fault_of
from seamark.kinds.media.image_frames import canvas_of
from seamark.plugin import ResponseStruct
from seamark.store import RunStore


class ImageFacts(ResponseStruct):
    """`fault` says what is wrong with an image; `is_shown` whether a browser may try to draw it all the same."""

    mime: str
    width: int | None
    height: int | None
    bytes: int
    fault: str
    is_shown: bool


class StepFacts(ResponseStruct):
    """`width` and `height` are as logged; `fault` says why the step has no images."""

    index: int
    width: int
    height: int
    samples: list[ImageFacts]
    fault: str


def describe_step(store: RunStore, run: RunName, tag: Tag, index: int) -> StepFacts:
    try:
        found = image.decode(store.payload(run, tag, KIND, index))
    except DecodeError as error:
        return StepFacts(index, width=0, height=0, samples=[], fault=f"cannot be read: {error}")
    samples = [describe_image(sample) for sample in found.images]
    fault = "" if samples else "this step has no image: a writer logged an empty list"
    return StepFacts(index, found.width, found.height, samples, fault)


def describe_image(sample: image.EncodedImage) -> ImageFacts:
    width, height = canvas_of(sample.data) or (None, None)
    is_video = sample.mime.startswith("video/")
    # A browser would try to decode a picture of any size, take gigabytes or crash.
    size_fault = "" if is_video or sample.mime == image.UNKNOWN_MIME else find_size_fault(sample.data)
    return ImageFacts(
        mime=sample.mime,
        width=width,
        height=height,
        bytes=len(sample.data),
        fault=size_fault or fault_of(sample.data),
        is_shown=not size_fault and sample.mime != image.UNKNOWN_MIME,
    )
