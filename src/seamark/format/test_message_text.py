"""The core's text of messages equals that of protobuf's C runtime, byte for byte."""

from __future__ import annotations

import math
from typing import Any

import pytest
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.internal import api_implementation
from google.protobuf.message import Message
from hypothesis import given, settings
from hypothesis import strategies as st

from seamark import _core
from seamark.format.message_text import message_text, parse_message_text
from seamark.format.messages import AttrValue, FunctionDef, GraphDef, NodeDef, RunMetadata

ROOTS = [GraphDef, RunMetadata]  # what the server sends as text
F = FieldDescriptor
# Texts that are short and few, so that keys of maps begin one another and large values are not the only ones.
TEXTS = st.text(st.sampled_from("ab_/\"'\\\n\t\r\x00\x7f é☃\U0001f600"), max_size=4)
VALUES: dict[int, st.SearchStrategy[Any]] = {
    F.TYPE_DOUBLE: st.floats(),
    F.TYPE_FLOAT: st.floats(width=32),
    F.TYPE_BOOL: st.booleans(),
    F.TYPE_STRING: TEXTS,
    F.TYPE_BYTES: st.binary(max_size=6),
    F.TYPE_ENUM: st.integers(-1, 30),
    **dict.fromkeys((F.TYPE_INT32, F.TYPE_SINT32, F.TYPE_SFIXED32), st.integers(-(2**31), 2**31 - 1)),
    **dict.fromkeys((F.TYPE_INT64, F.TYPE_SINT64, F.TYPE_SFIXED64), st.integers(-(2**63), 2**63 - 1)),
    **dict.fromkeys((F.TYPE_UINT32, F.TYPE_FIXED32), st.integers(0, 2**32 - 1)),
    **dict.fromkeys((F.TYPE_UINT64, F.TYPE_FIXED64), st.integers(0, 2**64 - 1)),
}


def protobuf_text(message: Message) -> bytes:
    if api_implementation.Type() != "upb":
        pytest.skip("only protobuf's C runtime writes this text")
    return str(message).encode()


def fill(draw: st.DrawFn, message: Message, depth: int) -> None:
    """Sets some of the fields, at random."""
    fields = list(message.DESCRIPTOR.fields)
    for field in draw(st.lists(st.sampled_from(fields), max_size=4, unique_by=lambda f: f.number)) if fields else []:
        count = draw(st.integers(1, 3))
        if field.message_type is None:
            if isinstance(getattr(message, field.name), (int, float, str, bytes)):
                setattr(message, field.name, draw(VALUES[field.type]))
            else:
                getattr(message, field.name).extend(draw(VALUES[field.type]) for _ in range(count))
        elif field.message_type.GetOptions().map_entry:
            fill_map(draw, getattr(message, field.name), field.message_type, count, depth)
        elif depth > 0:
            content = getattr(message, field.name)
            content.add() if hasattr(content, "add") else content.SetInParent()
            fill(draw, content[0] if hasattr(content, "add") else content, depth - 1)


def fill_map(draw: st.DrawFn, entries: Any, entry: Descriptor, count: int, depth: int) -> None:
    key, value = entry.fields_by_name["key"], entry.fields_by_name["value"]
    for _ in range(count):
        drawn = draw(VALUES[key.type])
        if value.message_type is None:
            entries[drawn] = draw(VALUES[value.type])
        elif depth > 0:
            fill(draw, entries[drawn], depth - 1)


@st.composite
def any_message(draw: st.DrawFn) -> Message:
    message = draw(st.sampled_from(ROOTS))()
    fill(draw, message, 5)
    return message


@settings(max_examples=300, deadline=None)
@given(any_message())
def test_any_message_has_the_text_of_protobuf(message: Message) -> None:
    assert message_text(message) == protobuf_text(message)


@settings(max_examples=300, deadline=None)
@given(any_message())
def test_any_message_can_be_parsed_from_its_text(message: Message) -> None:
    text = message_text(message)
    parsed = type(message).FromString(parse_message_text(type(message), text))
    assert message_text(parsed) == text


def test_text_that_is_no_message_is_an_error_with_its_line() -> None:
    with pytest.raises(ValueError, match="line 2: the text ends within a message"):
        parse_message_text(GraphDef, b'node {\n name: "a"')


def test_a_graph_as_people_write_it() -> None:
    graph = GraphDef(version=2)
    node = graph.node.add(name="a/b", op="MatMul", input=["x", "^y"])
    node.attr["T"].type = 1
    node.attr["unknown"].type = 1234
    node.attr["weights"].tensor.tensor_content = b"\x00\xff'\n"
    node.attr["shape"].list.shape.add().dim.add(size=-1)
    node.attr["empty"].CopyFrom(AttrValue())
    graph.versions.producer = 3
    assert message_text(graph) == protobuf_text(graph)
    assert message_text(graph).startswith(b'node {\n  name: "a/b"\n  op: "MatMul"\n  input: "x"\n  input: "^y"\n')
    assert b'tensor_content: "\\000\\377\\\'\\n"\n' in message_text(graph)
    assert message_text(RunMetadata()) == b""


def test_keys_of_maps_are_in_the_order_of_protobuf() -> None:
    node, function = NodeDef(), FunctionDef()
    for key in ["", "T", "_output_shapes", "a", "aa", "ab", "abc", "b", "é", "transpose_a"]:
        node.attr[key].b = True
    for number in [7, 2**32 - 1, 0, 500, 2**31]:
        function.resource_arg_unique_id[number] = 0
    assert message_text(node) == protobuf_text(node)
    assert message_text(function) == protobuf_text(function)


def test_floats_have_the_digits_of_protobuf() -> None:
    numbers = [0.1, 1 / 3, 100, 1e15, 1e16, 1e300, 5e-324, -0.0, 2.5, 123456789.0, math.pi, math.nan, -math.nan]
    numbers += [math.inf, -math.inf]
    value = AttrValue()
    value.tensor.double_val.extend(numbers)
    value.tensor.float_val.extend(number for number in numbers if abs(number) < 1e38 or math.isinf(number))
    value.tensor.float_val.append(1e-45)
    assert message_text(value) == protobuf_text(value)


def test_unknown_fields_are_left_out() -> None:
    newer = GraphDef.FromString(GraphDef(version=2).SerializeToString() + b"\xfa\x3e\x03abc" + b"\x1a\x01x")
    assert message_text(newer) == protobuf_text(newer) == b"version: 2\n"


def test_every_message_is_declared_in_order_of_numbers() -> None:
    """The core writes fields by number, protobuf as they are declared."""
    checked = set()

    def check(descriptor: Descriptor) -> None:
        numbers = [field.number for field in descriptor.fields]
        assert numbers == sorted(numbers), descriptor.full_name
        checked.add(descriptor.full_name)
        for field in descriptor.fields:
            if field.message_type is not None and field.message_type.full_name not in checked:
                check(field.message_type)

    for root in ROOTS:
        check(root.DESCRIPTOR)
    assert len(checked) > 50


def test_malformed_bytes_and_schemas_are_errors() -> None:
    formatter = _core.MessageText(
        [[(1, "name", F.TYPE_STRING, 0, False, False), (2, "inner", F.TYPE_MESSAGE, 0, False, False)]], []
    )
    assert formatter.format(b"\x12\x03\x0a\x01x") == b'inner {\n  name: "x"\n}\n'
    for malformed in (b"\x0a", b"\x0a\x05x", b"\x12\x01\x0a"):
        with pytest.raises(ValueError, match="malformed"):
            formatter.format(malformed)
    with pytest.raises(ValueError, match="not in the schema"):
        _core.MessageText([[(1, "inner", F.TYPE_MESSAGE, 1, False, False)]], [])
    with pytest.raises(ValueError, match="unknown type"):
        _core.MessageText([[(1, "group", F.TYPE_GROUP, 0, False, False)]], [])
