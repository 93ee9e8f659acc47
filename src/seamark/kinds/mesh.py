"""Meshes and point clouds: up to three series (vertices, faces, colours) that share a name and their steps."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from seamark.format.messages import MeshPluginData, Summary
from seamark.kinds.metadata import of_value
from seamark.kinds.payload import DecodeError, parse, parse_value
from seamark.kinds.summary import tensor_value
from seamark.kinds.tensor import from_array, tensor_of, to_array

PLUGIN_NAME = "mesh"


class Part(IntEnum):
    VERTEX = 1
    FACE = 2
    COLOR = 3


_DTYPES: dict[Part, DTypeLike] = {Part.VERTEX: np.float32, Part.FACE: np.int32, Part.COLOR: np.uint8}


@dataclass(frozen=True, slots=True, eq=False)
class MeshPart:
    name: str  # shared by the parts of one mesh
    part: Part
    data: NDArray[Any]  # [batch, n, 3]: float32 positions, int32 vertex numbers or uint8 red, green, blue
    parts: frozenset[Part]  # which parts the mesh has
    json_config: str  # camera, lights, material; may be empty


def tag_of(name: str, part: Part) -> str:
    return f"{name}_{part.name}"


def encode(
    name: str,
    vertices: ArrayLike,
    *,
    faces: ArrayLike | None = None,
    colors: ArrayLike | None = None,
    config: Mapping[str, Any] | None = None,
    display_name: str = "",
    description: str = "",
) -> list[Summary.Value]:
    """Encodes each given part, [batch, n, 3] or [n, 3], as one value."""
    given = {Part.VERTEX: vertices, Part.FACE: faces, Part.COLOR: colors}
    arrays = {part: _as_batch(array, part) for part, array in given.items() if array is not None}
    components = sum(1 << part for part in arrays)
    json_config = json.dumps(config, sort_keys=True) if config is not None else ""
    return [
        tensor_value(
            tag_of(name, part),
            from_array(array),
            plugin_name=PLUGIN_NAME,
            content=MeshPluginData(
                name=name, content_type=part, json_config=json_config, shape=array.shape, components=components
            ).SerializeToString(),
            display_name=display_name,
            description=description,
        )
        for part, array in arrays.items()
    ]


def decode(data: bytes, metadata: bytes = b"") -> MeshPart:
    """Decodes one part. `metadata` is the metadata of the tag's first value, for a value without its own."""
    value = parse_value(data, "mesh")
    series = of_value(value.metadata, metadata)
    if series.plugin_name != PLUGIN_NAME:
        raise DecodeError(f"mesh has no mesh metadata: got plugin {series.plugin_name!r}, want {PLUGIN_NAME!r}")
    content = parse(MeshPluginData, series.plugin_content, "mesh metadata")
    if content.content_type not in Part.__members__.values():
        raise DecodeError(f"mesh part is unknown: got {content.content_type}, want 1 to 3")
    part = Part(content.content_type)
    array = to_array(tensor_of(value, "mesh"))
    if array.ndim != 3 or array.shape[2] != 3 or array.dtype.kind not in "fiu":
        raise DecodeError(
            f"mesh has the wrong shape: got {array.dtype} {list(array.shape)}, want numbers [batch, n, 3]"
        )
    components = components_of(content)
    parts = frozenset(p for p in Part if components & (1 << p))
    return MeshPart(content.name, part, array, parts, content.json_config)


def components_of(content: MeshPluginData) -> int:
    """One bit for each part of the mesh; all three for writers that do not record them."""
    return content.components or sum(1 << part for part in Part)


def _as_batch(values: ArrayLike, part: Part) -> NDArray[Any]:
    array = np.asarray(values)
    if array.ndim == 2:
        array = array[None]
    if array.ndim != 3 or array.shape[2] != 3:
        raise ValueError(f"mesh {part.name} has the wrong shape: got {list(array.shape)}, want [batch, n, 3]")
    return array.astype(_DTYPES[part])
