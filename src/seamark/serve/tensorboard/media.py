"""The routes of images and audio: what there is at each step, and the bytes of one."""

from __future__ import annotations

from urllib.parse import urlencode

from starlette.responses import Response
from starlette.routing import Route

from seamark.kinds.audio import UNKNOWN_MIME
from seamark.kinds.safe_html import description_html
from seamark.serve.tensorboard.blobs import Blobs, Listed
from seamark.serve.tensorboard.catalogue import Catalogue, display_name
from seamark.serve.tensorboard.question import Question, RefusalError, answer, as_json, route

AUDIO_TYPES = ("audio/wav", "audio/flac", "audio/ogg", "audio/mpeg", UNKNOWN_MIME)


def image_routes(catalogue: Catalogue, blobs: Blobs) -> list[Route]:
    def tags(_: Question) -> Response:
        return as_json(sampled_tags(catalogue, blobs, "images"))

    def images(question: Question) -> Response:
        return as_json(
            [
                {"wall_time": entry.wall, "step": entry.step, "query": urlencode({"blob_key": entry.key.word()})}
                for entry in asked_for(catalogue, blobs, "images", question)
            ]
        )

    def individual_image(question: Question) -> Response:
        return image_answer(blobs, question.text("blob_key"))

    return [
        route("/plugin/images/tags", tags),
        route("/plugin/images/images", images),
        route("/plugin/images/individualImage", individual_image),
    ]


def audio_routes(catalogue: Catalogue, blobs: Blobs) -> list[Route]:
    def tags(_: Question) -> Response:
        return as_json(sampled_tags(catalogue, blobs, "audio"))

    def audio(question: Question) -> Response:
        return as_json([clip_json(blobs, entry) for entry in asked_for(catalogue, blobs, "audio", question)])

    def individual_audio(question: Question) -> Response:
        """The type in the query is what the list said; what is sent is told from the bytes."""
        if question.text("content_type") not in AUDIO_TYPES:
            raise RefusalError(f"the parameter 'content_type' is one of {', '.join(AUDIO_TYPES)}")
        clip = blobs.read(question.text("blob_key"), "audio")
        return answer(clip.data, clip.mime)

    return [
        route("/plugin/audio/tags", tags),
        route("/plugin/audio/audio", audio),
        route("/plugin/audio/individualAudio", individual_audio),
    ]


def sampled_tags(catalogue: Catalogue, blobs: Blobs, kind: str) -> dict[str, dict[str, dict[str, object]]]:
    return {
        run: {
            tag: {
                "displayName": display_name(info),
                "description": description_html(info.description),
                "samples": blobs.most_samples(info),
            }
            for tag, info in by_tag.items()
        }
        for run, by_tag in catalogue.series(kind).items()
    }


def asked_for(catalogue: Catalogue, blobs: Blobs, kind: str, question: Question) -> list[Listed]:
    info = catalogue.find(kind, question.text("run"), question.text("tag"))
    return blobs.having(info, question.number("sample", 0))


def clip_json(blobs: Blobs, entry: Listed) -> dict[str, object]:
    word = entry.key.word()
    mime = blobs.read(word, "audio").mime
    return {
        "wall_time": entry.wall,
        "step": entry.step,
        "label": "",
        "contentType": mime,
        "query": urlencode({"blob_key": word, "content_type": mime}),
    }


def image_answer(blobs: Blobs, word: str) -> Response:
    image = blobs.read(word, "images")
    return answer(image.data, image.mime)
