"""Meshes and point clouds: what was logged, step by step, and the 3-D files that lie in the runs' folders."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import DTypeLike
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from seamark.dashboards.mesh.files import mesh_file, mesh_files
from seamark.format.messages import MeshPluginData
from seamark.format.types import RunName, Tag
from seamark.kinds import DecodeError, mesh, metadata
from seamark.kinds.mesh import Part
from seamark.kinds.payload import parse
from seamark.plugin import Context, Dashboard, as_json, parse_index
from seamark.store import PayloadGoneError, SeriesInfo, UnknownSeriesError

KIND = "mesh"
DTYPES: dict[Part, DTypeLike] = {Part.VERTEX: "<f4", Part.FACE: "<i4", Part.COLOR: "u1"}


class RefusedError(Exception):
    """What the card says instead of a picture."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


def routes(context: Context) -> Sequence[Route]:
    def meshes(_: Request) -> Response:
        """Every logged mesh of every run: its parts with their steps, and how it wants to be looked at."""
        return as_json({"meshes": listed(context)})

    def part(request: Request) -> Response:
        """The numbers of one part of one sample: float32 positions, int32 vertex numbers or bytes of colour."""
        try:
            return Response(sample_bytes(context, request), media_type="application/octet-stream")
        except RefusedError as refused:
            return as_json({"error": str(refused)}, status_code=refused.status)

    def files(_: Request) -> Response:
        found, has_more = mesh_files(context.store.runs())
        return as_json({"files": [{"run": f.run, "path": f.path, "bytes": f.bytes} for f in found], "more": has_more})

    def file(request: Request) -> Response:
        run, path = request.query_params.get("run", ""), request.query_params.get("path", "")
        found = mesh_file(context.store.runs(), RunName(run), path)
        if found is None:
            return as_json({"error": f"there is no such 3-D file in the run '{run}': '{path}'"}, status_code=404)
        return FileResponse(found, media_type="application/octet-stream", content_disposition_type="attachment")

    return [Route("/meshes", meshes), Route("/part", part), Route("/files", files), Route("/file", file)]


def listed(context: Context) -> list[dict[str, Any]]:
    found: dict[tuple[RunName, str], dict[str, Any]] = {}
    for info in context.store.series(kind=KIND):
        try:
            content = parse(MeshPluginData, metadata.decode(info.metadata).plugin_content, "mesh metadata")
            part = Part(content.content_type).name
        except (DecodeError, ValueError):
            continue  # no mesh that anybody could draw
        entry = found.setdefault(
            (info.run, content.name),
            {
                "run": info.run,
                "name": content.name,
                "description": info.description,
                "samples": 1,
                "config": "",
                "parts": {},
            },
        )
        entry["samples"] = max(entry["samples"], content.shape[0] if content.shape else 1)
        entry["config"] = entry["config"] or content.json_config
        entry["parts"][part] = steps_of(context, info)
    return [entry for entry in found.values() if Part.VERTEX.name in entry["parts"]]


def steps_of(context: Context, info: SeriesInfo) -> dict[str, Any]:
    listed = context.store.payloads(info.run, info.tag, KIND)
    return {
        "tag": info.tag,
        "index": listed.index.tolist(),
        "steps": listed.steps.tolist(),
        "walls": listed.walls.tolist(),
    }


def sample_bytes(context: Context, request: Request) -> bytes:
    asked = request.query_params
    run, tag = RunName(asked.get("run", "")), Tag(asked.get("tag", ""))
    index, sample = whole_number(asked.get("index", "0")), whole_number(asked.get("sample", "0"))
    series = next((info for info in context.store.series(run=run, kind=KIND) if info.tag == tag), None)
    if series is None:
        raise RefusedError(404, f"there is no mesh {tag!r} in the run '{run}'")
    try:
        decoded = mesh.decode(context.store.payload(run, tag, KIND, index), series.metadata)
    except (UnknownSeriesError, PayloadGoneError) as error:
        raise RefusedError(404, str(error)) from error
    except DecodeError as error:
        raise RefusedError(422, str(error)) from error
    if sample >= len(decoded.data):
        raise RefusedError(404, f"there is no sample {sample}: this mesh has {len(decoded.data)} at this step")
    return np.ascontiguousarray(decoded.data[sample], DTYPES[decoded.part]).tobytes()


def whole_number(text: str) -> int:
    index = parse_index(text)
    if index is None:
        raise RefusedError(400, f"want a whole number, got '{text[:40]}'")
    return index


dashboard = Dashboard(name="mesh", title="Mesh", order=100, kinds=(KIND,), routes=routes)
