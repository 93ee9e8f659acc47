"""Routes of Mesh: a list of meshes, the numbers of their parts, and 3-D files."""

from __future__ import annotations

import logging
from typing import Annotated

import numpy as np
from msgspec import Meta
from numpy.typing import DTypeLike
from starlette.responses import FileResponse, Response

from seamark.format.types import RunName, Tag
from seamark.plugin import (
    Context,
    Endpoint,
    ErrorCase,
    NoParameters,
    ParsedRequest,
    RequestStruct,
    ResponseStruct,
    not_found,
)
from seamark.plugin.parameters import Index, PayloadIndex, RunParameter, TagParameter
from seamark.plugin.run_folder import file_in_run, files_in_runs
from seamark.store import RunStore, SeriesInfo

LOG = logging.getLogger(__name__)
KIND = "mesh"
SUFFIXES = (".ply", ".glb", ".obj", ".stl")
BINARY = "application/octet-stream"
DTYPES: dict[str, DTypeLike] = {"VERTEX": "<f4", "FACE": "<i4", "COLOR": "u1"}


class PartSteps(ResponseStruct):
    """The payloads of one part: its vertices, faces or colours."""

    tag: Tag
    index: list[int]
    steps: list[int]
    walls: list[float]


class LoggedMesh(ResponseStruct):
    run: RunName
    name: str
    description: str
    samples: int
    config: str  # JSON for three.js, as it was logged
    parts: dict[str, PartSteps]


class MeshesResponse(ResponseStruct):
    meshes: list[LoggedMesh]


class PartParameters(RequestStruct):
    run: RunParameter
    tag: TagParameter
    index: PayloadIndex = 0
    sample: Annotated[Index, Meta(description="The mesh of the step's batch.")] = 0


class FileEntry(ResponseStruct):
    run: RunName
    path: str
    bytes: int


class FilesResponse(ResponseStruct):
    files: list[FileEntry]
    more: bool  # whether some files are left out


class FileParameters(RequestStruct):
    run: RunParameter
    path: Annotated[str, Meta(description="The file, relative to the run's folder.")]


def endpoints(context: Context) -> list[Endpoint]:
    store = context.store

    def meshes(_: ParsedRequest[NoParameters, None]) -> MeshesResponse:
        return MeshesResponse(list_meshes(store))

    def part(request: ParsedRequest[PartParameters, None]) -> Response:
        return Response(sample_bytes(store, request.parameters), media_type=BINARY)

    def files(_: ParsedRequest[NoParameters, None]) -> FilesResponse:
        found, has_more = files_in_runs(store.runs(), SUFFIXES)
        return FilesResponse([FileEntry(file.run, file.path, file.bytes) for file in found], has_more)

    def file(request: ParsedRequest[FileParameters, None]) -> Response:
        run, path = request.parameters.run, request.parameters.path
        found = file_in_run(store.runs(), run, path, SUFFIXES)
        if found is None:
            raise not_found(f"the run '{run}' has no 3-D file '{path}'")
        return FileResponse(found, media_type=BINARY, content_disposition_type="attachment")

    return [
        Endpoint(
            path="/meshes",
            summary="Every logged mesh of every run, with the steps of its parts.",
            handler=meshes,
        ),
        Endpoint(
            path="/part",
            summary="One part of one sample: float32 positions, int32 vertex numbers or bytes of colour.",
            handler=part,
            media_type=BINARY,
            errors={404: ErrorCase("There is no such part."), 422: ErrorCase("The payload cannot be decoded.")},
        ),
        Endpoint(path="/files", summary="The 3-D files of all runs.", handler=files),
        Endpoint(
            path="/file",
            summary="The bytes of one 3-D file.",
            handler=file,
            media_type=BINARY,
            errors={404: ErrorCase("There is no such file.")},
        ),
    ]


def list_meshes(store: RunStore) -> list[LoggedMesh]:
    """Parts are series of their own; a mesh has the name that they share. Meshes without vertices are left out."""
    from seamark.format.messages import MeshPluginData  # loads protobuf
    from seamark.kinds import DecodeError, metadata
    from seamark.kinds.mesh import Part
    from seamark.kinds.payload import parse

    found: dict[tuple[RunName, str], LoggedMesh] = {}
    for info in store.series(kind=KIND):
        try:
            content = parse(MeshPluginData, metadata.decode(info.metadata).plugin_content, "mesh metadata")
            part = Part(content.content_type).name
        except (DecodeError, ValueError) as error:
            LOG.info("left out: the mesh '%s' in '%s': %s", info.tag, info.run, error)
            continue
        new = LoggedMesh(info.run, content.name, info.description, samples=1, config="", parts={})
        mesh = found.setdefault((info.run, content.name), new)
        mesh.samples = max(mesh.samples, content.shape[0] if content.shape else 1)
        mesh.config = mesh.config or content.json_config
        mesh.parts[part] = part_steps(store, info)
    return [mesh for mesh in found.values() if Part.VERTEX.name in mesh.parts]


def part_steps(store: RunStore, info: SeriesInfo) -> PartSteps:
    listed = store.payloads(info.run, info.tag, KIND)
    return PartSteps(info.tag, listed.index.tolist(), listed.steps.tolist(), listed.walls.tolist())


def sample_bytes(store: RunStore, parameters: PartParameters) -> bytes:
    from seamark.kinds import mesh  # loads protobuf

    series = next((info for info in store.series(run=parameters.run, kind=KIND) if info.tag == parameters.tag), None)
    if series is None:
        raise not_found(f"the run '{parameters.run}' has no mesh '{parameters.tag}'")
    decoded = mesh.decode(store.payload(parameters.run, parameters.tag, KIND, parameters.index), series.metadata)
    if parameters.sample >= len(decoded.data):
        raise not_found(f"there is no sample {parameters.sample}: this mesh has {len(decoded.data)} at this step")
    return np.ascontiguousarray(decoded.data[parameters.sample], DTYPES[decoded.part.name]).tobytes()
