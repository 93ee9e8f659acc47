"""The message classes of proto/*.proto, built from a descriptor set in a private pool.

There is no generated code: a private pool cannot clash with the messages of tensorboard or tensorflow in the same
process, and works with any protobuf runtime from 4.22. tools/make_messages.py writes messages.pyi and the descriptors.
"""

from importlib import resources

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.descriptor import Descriptor
from google.protobuf.internal.enum_type_wrapper import EnumTypeWrapper
from google.protobuf.message import Message

PACKAGE = "seamark.v1"


def _load() -> dict[str, object]:
    data = resources.files("seamark.format").joinpath("proto", "messages.binpb").read_bytes()
    files = descriptor_pb2.FileDescriptorSet.FromString(data).file
    pool = descriptor_pool.DescriptorPool()
    # protoc lists a file after the files that it imports, as the pool requires.
    for file in files:
        pool.AddSerializedFile(file.SerializeToString())
    loaded: dict[str, object] = {}
    for file in files:
        for message in file.message_type:
            loaded[message.name] = _message_class(pool.FindMessageTypeByName(f"{PACKAGE}.{message.name}"))
        for enum in file.enum_type:
            loaded[enum.name] = EnumTypeWrapper(pool.FindEnumTypeByName(f"{PACKAGE}.{enum.name}"))
    return loaded


def _message_class(descriptor: Descriptor) -> type[Message]:
    message_class = message_factory.GetMessageClass(descriptor)
    # Older runtimes do not set nested names; generated code does.
    for nested in descriptor.nested_types:
        setattr(message_class, nested.name, _message_class(nested))
    for enum in descriptor.enum_types:
        setattr(message_class, enum.name, EnumTypeWrapper(enum))
    return message_class


_loaded = _load()
globals().update(_loaded)
__all__ = sorted(_loaded)
