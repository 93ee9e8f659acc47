"""Messages as protobuf text and back, by the core without the GIL and many times as fast as by protobuf."""

from __future__ import annotations

from functools import cache

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor
from google.protobuf.descriptor_pb2 import DescriptorProto, FieldDescriptorProto
from google.protobuf.message import Message

from seamark import _core

Field = tuple[int, str, int, int, bool, bool]


def message_text(message: Message) -> bytes:
    """The same text as `str(message)` with protobuf's C runtime, in UTF-8. Fields are in order of their numbers."""
    return _formatter(message.DESCRIPTOR).format(message.SerializeToString())


def parse_message_text(message_class: type[Message], text: bytes) -> bytes:
    """The serialized message of a text. Skips unknown fields; ValueError, with the line, for what is no such text."""
    return _formatter(message_class.DESCRIPTOR).parse(text)


@cache
def _formatter(descriptor: Descriptor) -> _core.MessageText:
    schema = _Schema()
    schema.add_message(descriptor)
    return _core.MessageText(schema.messages, schema.enums)


class _Schema:
    """The types that a message contains, each described once."""

    def __init__(self) -> None:
        self.messages: list[list[Field]] = []
        self.enums: list[list[tuple[int, str]]] = []
        self._indices: dict[str, int] = {}

    def add_message(self, descriptor: Descriptor) -> int:
        """Returns the index of the message. A message may contain itself, so it is known before its fields are."""
        if descriptor.full_name not in self._indices:
            fields: list[Field] = []
            self._indices[descriptor.full_name] = len(self.messages)
            self.messages.append(fields)
            proto = DescriptorProto()
            descriptor.CopyToProto(proto)
            # Newer runtimes have no FieldDescriptor.label, older ones no FieldDescriptor.is_repeated.
            repeated = {field.name for field in proto.field if field.label == FieldDescriptorProto.LABEL_REPEATED}
            for field in sorted(descriptor.fields, key=lambda field: field.number):
                fields.append(self._describe(field, is_repeated=field.name in repeated))
        return self._indices[descriptor.full_name]

    def _describe(self, field: FieldDescriptor, *, is_repeated: bool) -> Field:
        target, is_map = 0, False
        if field.message_type is not None:
            target = self.add_message(field.message_type)
            is_map = field.message_type.GetOptions().map_entry
        elif field.enum_type is not None:
            target = self._add_enum(field.enum_type)
        return field.number, field.name, field.type, target, is_repeated, is_map

    def _add_enum(self, descriptor: EnumDescriptor) -> int:
        if descriptor.full_name not in self._indices:
            self._indices[descriptor.full_name] = len(self.enums)
            # The first of several names for a number is the one that protobuf writes.
            names = {value.number: value.name for value in reversed(descriptor.values)}
            self.enums.append(sorted(names.items()))
        return self._indices[descriptor.full_name]
