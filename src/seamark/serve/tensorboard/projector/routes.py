"""Routes of the projector: configs, tensors, and the files beside them."""

from __future__ import annotations

from typing import Annotated, NoReturn

from msgspec import Meta
from starlette.responses import Response

from seamark.embeddings.readers.run_config import RunConfig
from seamark.kinds.image import sniff
from seamark.kinds.projector.config import Embedding
from seamark.plugin import Endpoint, ParsedRequest, RequestError
from seamark.serve.tensorboard.projector.embeddings import Projector
from seamark.serve.tensorboard.projector.files import end_of_line, read_config_asset
from seamark.serve.tensorboard.request import TensorBoardParameters, binary_response


class RunParameters(TensorBoardParameters):
    run: str


class TensorParameters(TensorBoardParameters):
    run: str
    name: str


class RowsParameters(TensorParameters):
    num_rows: Annotated[int, Meta(ge=1)] | None = None


def projector_endpoints(projector: Projector) -> list[Endpoint]:
    def runs(_: ParsedRequest[TensorBoardParameters, None]) -> list[str]:
        return list(projector.configs())

    def info(request: ParsedRequest[RunParameters, None]) -> dict[str, object]:
        found = projector.config(request.parameters.run)
        config = found.config
        paths = {"modelCheckpointPath": config.model_checkpoint_path, "modelCheckpointDir": config.model_checkpoint_dir}
        shown = [embedding_json(projector.with_shape(found, embedding)) for embedding in config.embeddings]
        return {**{name: value for name, value in paths.items() if value}, "embeddings": shown}

    def tensor(request: ParsedRequest[RowsParameters, None]) -> Response:
        found, embedding = find_embedding(projector, request.parameters)
        rows = projector.tensor(found, embedding, max_rows=request.parameters.num_rows)
        return binary_response(rows.tobytes(), "application/octet-stream")

    def metadata(request: ParsedRequest[RowsParameters, None]) -> Response:
        found, embedding = find_embedding(projector, request.parameters)
        data = read_config_asset(found, embedding.metadata_path or reject_missing("metadata", embedding))
        limit = request.parameters.num_rows
        if limit is not None:
            # With more than one column the first line names them.
            has_header = b"\t" in data[: end_of_line(data, 1)]
            data = data[: end_of_line(data, limit + has_header)]
        return binary_response(data, "text/plain; charset=utf-8")

    def bookmarks(request: ParsedRequest[TensorParameters, None]) -> Response:
        found, embedding = find_embedding(projector, request.parameters)
        data = read_config_asset(found, embedding.bookmarks_path or reject_missing("bookmarks", embedding))
        return binary_response(data, "application/json")

    def sprite_image(request: ParsedRequest[TensorParameters, None]) -> Response:
        found, embedding = find_embedding(projector, request.parameters)
        path = embedding.sprite.image_path if embedding.sprite is not None else ""
        data = read_config_asset(found, path or reject_missing("sprite image", embedding))
        return binary_response(data, sniff(data))

    def endpoint(name: str, summary: str, handler: object, parameters: type[TensorBoardParameters]) -> Endpoint:
        return Endpoint(
            path=f"/plugin/projector/{name}",
            summary=summary,
            handler=handler,  # type: ignore[arg-type]
        )

    return [
        endpoint("runs", "The runs with embeddings.", runs, TensorBoardParameters),
        endpoint("info", "The projector's config of a run.", info, RunParameters),
        endpoint("tensor", "The numbers of an embedding, as float32.", tensor, RowsParameters),
        endpoint("metadata", "The labels of an embedding, as TSV.", metadata, RowsParameters),
        endpoint("bookmarks", "The bookmarks of an embedding.", bookmarks, TensorParameters),
        endpoint("sprite_image", "The sprite image of an embedding.", sprite_image, TensorParameters),
    ]


def find_embedding(projector: Projector, parameters: TensorParameters) -> tuple[RunConfig, Embedding]:
    found = projector.config(parameters.run)
    embedding = found.embedding(parameters.name)
    if embedding is None:
        raise RequestError(f"the projector config of the run '{parameters.run}' names no tensor '{parameters.name}'")
    return found, embedding


def reject_missing(what: str, embedding: Embedding) -> NoReturn:
    raise RequestError(f"the projector config names no {what} for the tensor '{embedding.tensor_name}'")


def embedding_json(embedding: Embedding) -> dict[str, object]:
    """Without the fields that are empty."""
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
