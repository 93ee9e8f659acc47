"""Our .proto files agree with the messages TensorBoard ships: same numbers, types and packing."""

import importlib
from typing import Any

import numpy as np
import pytest
from google.protobuf.descriptor import Descriptor
from tensorboard.util import tensor_util

from seamark.format import messages
from seamark.kinds.tensor import from_array, from_strings

RENAMED = {
    "Tensor": "TensorProto",
    "TensorShape": "TensorShapeProto",
    "ResourceHandle": "ResourceHandleProto",
    "VariantTensorData": "VariantTensorDataProto",
}
# Of TensorFlow's checkpoints, which TensorBoard reads with TensorFlow; src/seamark/serve/tensorboard tests them.
ONLY_IN_TENSORFLOW = {
    "BundleEntry",
    "BundleHeader",
    "CheckpointState",
    "SavedSlice",
    "SavedSliceMeta",
    "SavedTensorSliceMeta",
    "SavedTensorSlices",
    "TensorSlice",
}
# tensorflow.ProfilerService has no Python classes anywhere: tests/integrations captures from a real JAX program.
OF_PROFILER_SERVICE = {"ProfileOptions", "ProfileRequest", "ProfileResponse", "ProfileToolData"}
# How saved graphs keep the attributes of nodes: no one else reads them.
INTERNAL = {"StoredAttributes", "OmittedAttribute"}
IN_ONNX = {
    "OnnxAttribute": "AttributeProto",
    "OnnxEntry": "StringStringEntryProto",
    "OnnxFunction": "FunctionProto",
    "OnnxGraph": "GraphProto",
    "OnnxModel": "ModelProto",
    "OnnxNode": "NodeProto",
    "OnnxOpset": "OperatorSetIdProto",
    "OnnxShape": "TensorShapeProto",
    "OnnxTensor": "TensorProto",
    "OnnxType": "TypeProto",
    "OnnxValueInfo": "ValueInfoProto",
}
NOT_IN_TENSORBOARD = {*ONLY_IN_TENSORFLOW, *OF_PROFILER_SERVICE, *INTERNAL, *IN_ONNX}
# Of TensorFlow's profiler, whose tables TensorBoard does not ship.
FILES_NOT_IN_TENSORBOARD = {"seamark_tool_tables.proto"}
OUR_OWN = {"Value", "ListValue", "Struct"}  # google.protobuf's, under our name
MODULES = [
    *(f"compat.proto.{name}_pb2" for name in ("event", "summary", "histogram", "tensor", "tensor_shape", "graph")),
    *(f"compat.proto.{name}_pb2" for name in ("node_def", "attr_value", "function", "op_def", "versions", "config")),
    *(f"compat.proto.{name}_pb2" for name in ("step_stats", "cost_graph", "allocation_description", "meta_graph")),
    *(
        f"compat.proto.{name}_pb2"
        for name in ("tensor_description", "resource_handle", "full_type", "graph_debug_info")
    ),
    *(f"plugins.{name}.plugin_data_pb2" for name in ("scalar", "histogram", "image", "audio", "text", "pr_curve")),
    *("plugins.mesh.plugin_data_pb2", "plugins.hparams.plugin_data_pb2", "plugins.hparams.api_pb2"),
    *("plugins.custom_scalar.layout_pb2", "plugins.projector.projector_config_pb2"),
]


def their_message(name: str) -> Any:
    if name in OUR_OWN:
        return getattr(importlib.import_module("google.protobuf.struct_pb2"), name)
    for module in MODULES:
        found = getattr(importlib.import_module(f"tensorboard.{module}"), RENAMED.get(name, name), None)
        if found is not None and hasattr(found, "DESCRIPTOR"):
            return found
    raise AssertionError(f"tensorboard has no message {name}")


def assert_subset(ours: Descriptor, theirs: Descriptor) -> None:
    by_number = {field.number: field for field in theirs.fields}
    for field in ours.fields:
        twin = by_number[field.number]
        assert (field.name, field.type, field.is_repeated, field.is_packed) == (
            twin.name,
            twin.type,
            twin.is_repeated,
            twin.is_packed,
        ), f"{ours.full_name}.{field.name}"
        assert (field.containing_oneof is None) == (twin.containing_oneof is None)
        if field.enum_type is not None:
            numbers = {value.name: value.number for value in twin.enum_type.values}
            assert {value.name: value.number for value in field.enum_type.values}.items() <= numbers.items()
    for nested in ours.nested_types:
        assert_subset(nested, theirs.nested_types_by_name[nested.name])


def is_in_tensorboard(name: str) -> bool:
    message = getattr(messages, name)
    if not isinstance(message, type) or name in NOT_IN_TENSORBOARD:
        return False
    return message.DESCRIPTOR.file.name not in FILES_NOT_IN_TENSORBOARD


@pytest.mark.parametrize("name", [name for name in messages.__all__ if is_in_tensorboard(name)])
def test_every_field_has_the_number_and_type_it_has_in_tensorboard(name: str) -> None:
    assert_subset(getattr(messages, name).DESCRIPTOR, their_message(name).DESCRIPTOR)


@pytest.mark.parametrize("name", IN_ONNX)
def test_every_field_has_the_number_and_type_it_has_in_onnx(name: str) -> None:
    """Parsers take packed and unpacked numbers alike, and names of messages are not on the wire."""
    onnx = pytest.importorskip("onnx")
    ours, theirs = getattr(messages, name).DESCRIPTOR, getattr(onnx, IN_ONNX[name]).DESCRIPTOR
    pending, seen = [(ours, theirs)], set()
    while pending:
        mine, twin = pending.pop()
        seen.add(mine.full_name)
        for field in mine.fields:
            other = twin.fields_by_number[field.number]
            kind = other.TYPE_INT32 if other.type == other.TYPE_ENUM else other.type
            assert (field.name, field.type, field.is_repeated) == (other.name, kind, other.is_repeated)
            if field.message_type is not None and field.message_type.full_name not in seen:
                pending.append((field.message_type, other.message_type))


@pytest.mark.parametrize("shape", [(), (1,), (0,), (2, 3), (0, 3)])
@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "?", "c8", "c16"])
def test_our_tensors_have_the_very_bytes_of_theirs(dtype: str, shape: tuple[int, ...]) -> None:
    array = (np.arange(int(np.prod(shape))) % 2 * 3 + 1).reshape(shape).astype(dtype)
    theirs = tensor_util.make_tensor_proto(array)
    assert from_array(array).SerializeToString() == theirs.SerializeToString()


def test_our_string_tensors_have_the_very_bytes_of_theirs() -> None:
    for nested, flat, shape in ((b"x", [b"x"], ()), ([b"a\0", b""], [b"a\0", b""], (2,)), ([["é"]], ["é"], (1, 1))):
        theirs = tensor_util.make_tensor_proto(nested)
        assert from_strings(flat, shape=shape).SerializeToString() == theirs.SerializeToString()


@pytest.mark.parametrize("name", ["GraphDef", "RunMetadata"])
def test_what_is_sent_on_as_text_has_every_field(name: str) -> None:
    """These are read and written again: a field that we did not know would be lost."""
    seen: set[str] = set()

    def missing(ours: Descriptor, theirs: Descriptor) -> list[str]:
        if theirs.full_name in seen:
            return []
        seen.add(theirs.full_name)
        known = {field.number: field for field in ours.fields}
        found = [f"{theirs.full_name}.{field.name}" for field in theirs.fields if field.number not in known]
        for field in theirs.fields:
            twin = known.get(field.number)
            if twin is not None and field.message_type is not None:
                found += missing(twin.message_type, field.message_type)
            if twin is not None and field.enum_type is not None:
                names = {value.number: value.name for value in twin.enum_type.values}
                found += [value.name for value in field.enum_type.values if names.get(value.number) != value.name]
        return found

    assert missing(getattr(messages, name).DESCRIPTOR, their_message(name).DESCRIPTOR) == []
