"""Routes of images and audio: the steps of a series, and the bytes of one image or clip."""

from __future__ import annotations

from typing import Literal
from urllib.parse import urlencode

from starlette.responses import Response

from seamark.kinds.audio import UNKNOWN_MIME
from seamark.plugin import Endpoint, ParsedRequest
from seamark.serve.tensorboard.catalogue import Catalogue
from seamark.serve.tensorboard.media.blobs import Blobs, BlobStep
from seamark.serve.tensorboard.request import SeriesParameters, TensorBoardParameters, WholeNumber, binary_response
from seamark.serve.tensorboard.tags import Labels, tag_labels, tags_endpoint
from seamark.store import SeriesInfo

AudioType = Literal["audio/wav", "audio/flac", "audio/ogg", "audio/mpeg", "application/octet-stream"]
assert UNKNOWN_MIME == "application/octet-stream"


class SampleParameters(SeriesParameters):
    sample: WholeNumber = 0


class ImageParameters(TensorBoardParameters):
    blob_key: str


class AudioParameters(TensorBoardParameters):
    blob_key: str
    content_type: AudioType  # has to be valid; the response has the type that the clip's bytes tell


def image_endpoints(catalogue: Catalogue, blobs: Blobs) -> list[Endpoint]:
    def images(request: ParsedRequest[SampleParameters, None]) -> list[dict[str, object]]:
        return [
            {"wall_time": step.wall, "step": step.step, "query": urlencode({"blob_key": step.key.encode()})}
            for step in requested_steps(catalogue, blobs, "images", request.parameters)
        ]

    def individual_image(request: ParsedRequest[ImageParameters, None]) -> Response:
        return image_response(blobs, request.parameters.blob_key)

    return [
        tags_endpoint(catalogue, "/plugin/images/tags", "images", lambda info: sampled_labels(blobs, info)),
        Endpoint(
            path="/plugin/images/images",
            summary="The steps of a series.",
            handler=images,
        ),
        Endpoint(
            path="/plugin/images/individualImage",
            summary="One image.",
            handler=individual_image,
            media_type="image/*",
        ),
    ]


def audio_endpoints(catalogue: Catalogue, blobs: Blobs) -> list[Endpoint]:
    def audio(request: ParsedRequest[SampleParameters, None]) -> list[dict[str, object]]:
        return [clip_json(blobs, step) for step in requested_steps(catalogue, blobs, "audio", request.parameters)]

    def individual_audio(request: ParsedRequest[AudioParameters, None]) -> Response:
        clip = blobs.read(request.parameters.blob_key, "audio")
        return binary_response(clip.data, clip.mime)

    return [
        tags_endpoint(catalogue, "/plugin/audio/tags", "audio", lambda info: sampled_labels(blobs, info)),
        Endpoint(path="/plugin/audio/audio", summary="The steps of a series.", handler=audio),
        Endpoint(
            path="/plugin/audio/individualAudio",
            summary="One clip.",
            handler=individual_audio,
            media_type="audio/*",
        ),
    ]


def sampled_labels(blobs: Blobs, info: SeriesInfo) -> Labels:
    """The greatest number of samples at any step, too."""
    return {**tag_labels(info), "samples": blobs.max_samples(info)}


def requested_steps(catalogue: Catalogue, blobs: Blobs, kind: str, parameters: SampleParameters) -> list[BlobStep]:
    return blobs.steps_with(catalogue.find(kind, parameters.run, parameters.tag), parameters.sample)


def clip_json(blobs: Blobs, step: BlobStep) -> dict[str, object]:
    key = step.key.encode()
    mime = blobs.read(key, "audio").mime
    return {
        "wall_time": step.wall,
        "step": step.step,
        "label": "",
        "contentType": mime,
        "query": urlencode({"blob_key": key, "content_type": mime}),
    }


def image_response(blobs: Blobs, key: str) -> Response:
    image = blobs.read(key, "images")
    return binary_response(image.data, image.mime)
