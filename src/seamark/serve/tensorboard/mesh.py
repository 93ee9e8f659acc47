"""Meshes: what there is at each step, and the numbers of one part of one sample as raw bytes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray
from starlette.responses import Response
from starlette.routing import Route

from seamark.format.messages import MeshPluginData
from seamark.kinds import DecodeError
from seamark.kinds.mesh import Part, components_of
from seamark.kinds.payload import parse
from seamark.serve.tensorboard.catalogue import Catalogue, content_of
from seamark.serve.tensorboard.question import Question, RefusalError, answer, as_json, route
from seamark.store import SeriesInfo

DTYPES: dict[Part, DTypeLike] = {Part.VERTEX: "<f4", Part.FACE: "<i4", Part.COLOR: "u1"}


def mesh_routes(catalogue: Catalogue) -> list[Route]:
    def tags(_: Question) -> Response:
        """The parts of a mesh are series of their own; the page knows the mesh by the name they share."""
        found = {
            run: {data.name: {"samples": data.shape[0] if data.shape else 0} for _, data in parts(by_tag)}
            for run, by_tag in catalogue.series("mesh").items()
        }
        return as_json(found)

    def meshes(question: Question) -> Response:
        steps = [
            (
                step,
                {
                    "wall_time": wall,
                    "step": step,
                    "content_type": data.content_type,
                    "components": components_of(data),
                    "config": data.json_config,
                    "data_shape": list(data.shape),
                },
            )
            for info, data in chosen_parts(catalogue, question)
            for step, wall in listed(catalogue, info)
        ]
        return as_json([entry for _, entry in sorted(steps, key=lambda step: step[0])])

    def data(question: Question) -> Response:
        part = part_named(question.optional("content_type") or "")
        step, sample = step_of(question), question.number("sample", 0)
        arrays = [
            one_sample(point.content.data, sample, part)
            for info, data in chosen_parts(catalogue, question)
            if data.content_type == part
            for point in catalogue.points(info)
            if point.step == step
        ]
        # No media type, but what TensorBoard says.
        return answer(b"".join(array.tobytes() for array in arrays), "arraybuffer")

    return [
        route("/plugin/mesh/tags", tags),
        route("/plugin/mesh/meshes", meshes),
        route("/plugin/mesh/data", data),
    ]


def parts(by_tag: dict[str, SeriesInfo]) -> list[tuple[SeriesInfo, MeshPluginData]]:
    """The series and what each holds: vertices, then faces, then colours."""
    found = []
    for info in by_tag.values():
        try:
            found.append((info, parse(MeshPluginData, content_of(info), "mesh metadata")))
        except DecodeError:
            continue
    return sorted(found, key=lambda part: part[1].content_type)


def chosen_parts(catalogue: Catalogue, question: Question) -> list[tuple[SeriesInfo, MeshPluginData]]:
    """The series of the mesh asked for; none when the run has no such mesh."""
    by_tag = catalogue.series("mesh").get(question.text("run"), {})
    name = question.text("tag")
    return [(info, data) for info, data in parts(by_tag) if data.name == name]


def listed(catalogue: Catalogue, info: SeriesInfo) -> list[tuple[int, float]]:
    payloads = catalogue.store.tensorboard_payloads(info.run, info.tag, info.kind)
    chosen = catalogue.wanted("mesh", len(payloads))
    return list(zip(payloads.steps[chosen].tolist(), payloads.walls[chosen].tolist(), strict=True))


def part_named(name: str) -> Part:
    if name not in Part.__members__:
        raise RefusalError(f"the parameter 'content_type' is one of {', '.join(Part.__members__)}, got '{name}'")
    return Part[name]


def step_of(question: Question) -> float:
    text = question.optional("step") or "0"
    try:
        step = float(text)
    except ValueError:
        step = math.nan
    if not math.isfinite(step):
        raise RefusalError(f"the parameter 'step' is a number, got '{text}'")
    return step


def one_sample(batch: NDArray[Any], sample: int, part: Part) -> NDArray[Any]:
    if sample >= len(batch):
        raise RefusalError(f"there is no sample {sample}: this mesh has {len(batch)} at this step")
    return np.ascontiguousarray(batch[sample], DTYPES[part])
