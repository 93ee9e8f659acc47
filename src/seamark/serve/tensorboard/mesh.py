"""Routes of meshes: the steps of a mesh, and the numbers of one part of one sample as raw bytes."""

from __future__ import annotations

import logging
from typing import Any, Literal

import numpy as np
from numpy.typing import DTypeLike, NDArray
from starlette.responses import Response

from seamark.format.messages import MeshPluginData
from seamark.kinds import DecodeError
from seamark.kinds.mesh import Part, components_of
from seamark.kinds.payload import parse
from seamark.plugin import Endpoint, ParsedRequest, RequestError
from seamark.serve.tensorboard.catalogue import Catalogue
from seamark.serve.tensorboard.metadata import metadata_of
from seamark.serve.tensorboard.request import SeriesParameters, TensorBoardParameters, WholeNumber, binary_response
from seamark.store import SeriesInfo

LOG = logging.getLogger(__name__)
DTYPES: dict[Part, DTypeLike] = {Part.VERTEX: "<f4", Part.FACE: "<i4", Part.COLOR: "u1"}
PartSeries = tuple[SeriesInfo, MeshPluginData]


class DataParameters(SeriesParameters, kw_only=True):
    content_type: Literal["VERTEX", "FACE", "COLOR"]
    step: float = 0.0
    sample: WholeNumber = 0


def mesh_endpoints(catalogue: Catalogue) -> list[Endpoint]:
    def tags(_: ParsedRequest[TensorBoardParameters, None]) -> dict[str, object]:
        """The parts of a mesh are series of their own; the page shows the mesh under the name that they share."""
        return {
            run: {data.name: {"samples": data.shape[0] if data.shape else 0} for _, data in find_parts(by_tag)}
            for run, by_tag in catalogue.series("mesh").items()
        }

    def meshes(request: ParsedRequest[SeriesParameters, None]) -> list[dict[str, object]]:
        entries = [
            (step, mesh_json(step, wall, data))
            for info, data in parts_of_mesh(catalogue, request.parameters)
            for step, wall in steps_of(catalogue, info)
        ]
        return [entry for _, entry in sorted(entries, key=lambda entry: entry[0])]

    def data(request: ParsedRequest[DataParameters, None]) -> Response:
        parameters = request.parameters
        part = Part[parameters.content_type]
        arrays = [
            one_sample(point.content.data, parameters.sample, part)
            for info, data in parts_of_mesh(catalogue, parameters)
            if data.content_type == part
            for point in catalogue.points(info)
            if point.step == parameters.step
        ]
        # Not a media type, but TensorBoard sends it.
        return binary_response(b"".join(array.tobytes() for array in arrays), "arraybuffer")

    return [
        Endpoint(path="/plugin/mesh/tags", summary="The meshes of each run.", handler=tags),
        Endpoint(
            path="/plugin/mesh/meshes",
            summary="The steps of a mesh.",
            handler=meshes,
        ),
        Endpoint(
            path="/plugin/mesh/data",
            summary="One part of one sample: float32 positions, int32 vertex numbers or bytes of colour.",
            handler=data,
            media_type="application/octet-stream",
        ),
    ]


def find_parts(by_tag: dict[str, SeriesInfo]) -> list[PartSeries]:
    """The series with their metadata: vertices, then faces, then colours."""
    found = []
    for info in by_tag.values():
        try:
            found.append((info, parse(MeshPluginData, metadata_of(info).plugin_content, "mesh metadata")))
        except DecodeError as error:
            LOG.info("left out: the mesh '%s' in '%s': %s", info.tag, info.run, error)
    return sorted(found, key=lambda part: part[1].content_type)


def parts_of_mesh(catalogue: Catalogue, parameters: SeriesParameters) -> list[PartSeries]:
    """None if the run does not have the mesh."""
    by_tag = catalogue.series("mesh").get(parameters.run, {})
    return [(info, data) for info, data in find_parts(by_tag) if data.name == parameters.tag]


def steps_of(catalogue: Catalogue, info: SeriesInfo) -> list[tuple[int, float]]:
    payloads = catalogue.store.tensorboard_payloads(info.run, info.tag, info.kind)
    chosen = catalogue.sample_positions("mesh", len(payloads))
    return list(zip(payloads.steps[chosen].tolist(), payloads.walls[chosen].tolist(), strict=True))


def mesh_json(step: int, wall: float, data: MeshPluginData) -> dict[str, object]:
    return {
        "wall_time": wall,
        "step": step,
        "content_type": data.content_type,
        "components": components_of(data),
        "config": data.json_config,
        "data_shape": list(data.shape),
    }


def one_sample(batch: NDArray[Any], sample: int, part: Part) -> NDArray[Any]:
    if sample >= len(batch):
        message = f"there is no sample {sample}: this mesh has {len(batch)} at this step"
        raise RequestError(message, code="invalid_parameter")
    return np.ascontiguousarray(batch[sample], DTYPES[part])
