"""The routes of the projector."""

from __future__ import annotations

from starlette.responses import Response
from starlette.routing import Route

from seamark.kinds.image import sniff
from seamark.kinds.projector import Embedding
from seamark.serve.tensorboard.projector import PlacedConfig, Projector
from seamark.serve.tensorboard.projector_files import end_of_line, read_asset
from seamark.serve.tensorboard.question import Question, RefusalError, answer, as_json, route


def projector_routes(projector: Projector) -> list[Route]:
    def runs(_: Question) -> Response:
        return as_json(list(projector.configs()))

    def info(question: Question) -> Response:
        placed = projector.config(question.text("run"))
        config = placed.config
        given = {"modelCheckpointPath": config.model_checkpoint_path, "modelCheckpointDir": config.model_checkpoint_dir}
        shown = [embedding_json(projector.with_shape(placed, embedding)) for embedding in config.embeddings]
        return as_json({**{name: value for name, value in given.items() if value}, "embeddings": shown})

    def tensor(question: Question) -> Response:
        placed, embedding = asked_for(projector, question)
        rows = projector.tensor(placed, embedding, max_rows=row_limit(question))
        return answer(rows.tobytes(), "application/octet-stream")

    def metadata(question: Question) -> Response:
        placed, embedding = asked_for(projector, question)
        data = read_asset(placed.asset(embedding.metadata_path or missing("metadata", embedding)))
        limit = row_limit(question)
        if limit is not None:
            # With more than one column the first line names them.
            has_header = b"\t" in data[: end_of_line(data, 1)]
            data = data[: end_of_line(data, limit + has_header)]
        return answer(data, "text/plain; charset=utf-8")

    def bookmarks(question: Question) -> Response:
        placed, embedding = asked_for(projector, question)
        file = placed.asset(embedding.bookmarks_path or missing("bookmarks", embedding))
        return answer(read_asset(file), "application/json")

    def sprite_image(question: Question) -> Response:
        placed, embedding = asked_for(projector, question)
        path = embedding.sprite.image_path if embedding.sprite is not None else ""
        data = read_asset(placed.asset(path or missing("sprite image", embedding)))
        return answer(data, sniff(data))

    return [
        route("/plugin/projector/runs", runs),
        route("/plugin/projector/info", info),
        route("/plugin/projector/tensor", tensor),
        route("/plugin/projector/metadata", metadata),
        route("/plugin/projector/bookmarks", bookmarks),
        route("/plugin/projector/sprite_image", sprite_image),
    ]


def asked_for(projector: Projector, question: Question) -> tuple[PlacedConfig, Embedding]:
    run, name = question.text("run"), question.text("name")
    placed = projector.config(run)
    embedding = placed.embedding(name)
    if embedding is None:
        raise RefusalError(f"the projector config of the run '{run}' names no tensor '{name}'")
    return placed, embedding


def missing(what: str, embedding: Embedding) -> str:
    raise RefusalError(f"the projector config names no {what} for the tensor '{embedding.tensor_name}'")


def row_limit(question: Question) -> int | None:
    if not question.optional("num_rows"):
        return None
    rows = question.number("num_rows", 0)
    if rows == 0:
        raise RefusalError("the parameter 'num_rows' is a whole number of 1 or more")
    return rows


def embedding_json(embedding: Embedding) -> dict[str, object]:
    """What is not given is left out."""
    fields: dict[str, object] = {
        "tensorName": embedding.tensor_name,
        "metadataPath": embedding.metadata_path,
        "bookmarksPath": embedding.bookmarks_path,
        "tensorShape": list(embedding.tensor_shape),
        "tensorPath": embedding.tensor_path,
    }
    if embedding.sprite is not None:
        sprite = {
            "imagePath": embedding.sprite.image_path,
            "singleImageDim": list(embedding.sprite.single_image_dim),
        }
        fields["sprite"] = {name: value for name, value in sprite.items() if value}
    return {name: value for name, value in fields.items() if value}
