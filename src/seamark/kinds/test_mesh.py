"""Meshes: up to three series with a common name."""

import numpy as np
import pytest

from seamark.kinds import mesh, tensors
from seamark.kinds.mesh import Part
from seamark.kinds.payload import DecodeError

TRIANGLE = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]


def test_each_part_is_a_separate_series() -> None:
    values = mesh.encode("m", TRIANGLE, faces=[[0, 1, 2]], colors=[[255, 0, 0]] * 3, config={"camera": {"fov": 45}})
    assert [value.tag for value in values] == ["m_VERTEX", "m_FACE", "m_COLOR"]
    parts = [mesh.decode(value.SerializeToString()) for value in values]
    assert [part.data.dtype for part in parts] == [np.float32, np.int32, np.uint8]
    assert parts[0].data.tolist() == [TRIANGLE]
    assert all(part.parts == frozenset(Part) and part.name == "m" for part in parts)
    assert parts[0].json_config == '{"camera": {"fov": 45}}'


def test_a_point_cloud_has_vertices_only() -> None:
    (value,) = mesh.encode("m", np.zeros((2, 5, 3)))
    part = mesh.decode(value.SerializeToString())
    assert (part.part, part.parts, part.data.shape) == (Part.VERTEX, frozenset([Part.VERTEX]), (2, 5, 3))


def test_a_later_value_uses_the_metadata_of_the_first() -> None:
    (value,) = mesh.encode("m", TRIANGLE)
    metadata = value.metadata.SerializeToString()
    value.ClearField("metadata")
    assert mesh.decode(value.SerializeToString(), metadata).name == "m"
    with pytest.raises(DecodeError, match="no mesh metadata"):
        mesh.decode(value.SerializeToString())


def test_all_parts_are_assumed_if_the_metadata_names_none() -> None:
    from seamark.format.messages import MeshPluginData

    content = MeshPluginData(name="m", content_type=1).SerializeToString()
    value = tensors.encode("m_VERTEX", np.zeros((1, 1, 3)), plugin_name="mesh", content=content)
    assert mesh.decode(value.SerializeToString()).parts == frozenset(Part)


def test_invalid_meshes_are_rejected() -> None:
    with pytest.raises(ValueError, match="wrong shape"):
        mesh.encode("m", np.zeros((3, 2)))
    value = tensors.encode("m", np.zeros((1, 1, 3)), plugin_name="mesh")
    with pytest.raises(DecodeError, match="part is unknown"):
        mesh.decode(value.SerializeToString())
