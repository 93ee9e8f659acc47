"""Compiles seamark/format/proto/*.proto into messages.binpb and messages.pyi (needs grpcio-tools; development only)."""

import argparse
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from google.protobuf import descriptor_pb2
from google.protobuf.descriptor_pb2 import DescriptorProto, EnumDescriptorProto, FieldDescriptorProto, FileDescriptorSet

FORMAT_DIR = Path(__file__).resolve().parent.parent / "src" / "seamark" / "format"
PROTO_DIR = FORMAT_DIR / "proto"
DESCRIPTORS_PATH = PROTO_DIR / "messages.binpb"
STUB_PATH = FORMAT_DIR / "messages.pyi"
PACKAGE_PREFIX = ".seamark.v1."

_F = FieldDescriptorProto
_SCALARS = {
    _F.TYPE_DOUBLE: "float",
    _F.TYPE_FLOAT: "float",
    _F.TYPE_INT64: "int",
    _F.TYPE_UINT64: "int",
    _F.TYPE_INT32: "int",
    _F.TYPE_UINT32: "int",
    _F.TYPE_FIXED64: "int",
    _F.TYPE_FIXED32: "int",
    _F.TYPE_BOOL: "bool",
    _F.TYPE_STRING: "str",
    _F.TYPE_BYTES: "bytes",
    _F.TYPE_ENUM: "int",
}


def compile_protos(proto_dir: Path = PROTO_DIR) -> bytes:
    """Compiles the folder with protoc to a serialized FileDescriptorSet."""
    from grpc_tools import protoc  # type: ignore[import-untyped,unused-ignore]

    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch) / "messages.binpb"
        names = sorted(path.name for path in proto_dir.glob("*.proto"))
        status = protoc.main(["protoc", f"-I{proto_dir}", f"--descriptor_set_out={out}", "--include_imports", *names])
        if status != 0:
            raise SystemExit(f"protoc failed with status {status}: '{proto_dir}'")
        return out.read_bytes()


def make_stub(descriptors: bytes) -> str:
    """messages.pyi for a serialized FileDescriptorSet."""
    files = FileDescriptorSet.FromString(descriptors).file
    lines = [
        "# Made by tools/make_messages.py from proto/*.proto; do not edit.",
        "# ruff: noqa: E501, N802",
        "# fmt: off",
        "from collections.abc import Iterable, Mapping",
        "from typing import Literal",
        "",
        "from google.protobuf.internal.containers import (",
        "    MessageMap,",
        "    RepeatedCompositeFieldContainer,",
        "    RepeatedScalarFieldContainer,",
        "    ScalarMap,",
        ")",
        "from google.protobuf.internal.enum_type_wrapper import EnumTypeWrapper",
        "from google.protobuf.message import Message",
        "",
        "PACKAGE: str",
    ]
    for file in files:
        for enum in file.enum_type:
            lines += ["", *_enum(enum), f"{enum.name}: _{enum.name}"]
        for message in file.message_type:
            lines += ["", *_message(message)]
    return "\n".join(lines) + "\n"


def _enum(enum: EnumDescriptorProto) -> list[str]:
    return [f"class _{enum.name}(EnumTypeWrapper):", *(f"    {value.name}: int" for value in enum.value)]


def _message(message: DescriptorProto) -> list[str]:
    nested = {entry.name: entry for entry in message.nested_type if entry.options.map_entry}
    lines = [f"class {message.name}(Message):"]
    for inner in message.nested_type:
        if inner.name not in nested:
            lines += [f"    {line}" if line else "" for line in _message(inner)]
    for enum in message.enum_type:
        lines += [f"    {line}" for line in _enum(enum)]
        lines += [f"    {enum.name}: _{enum.name}", *(f"    {value.name}: int" for value in enum.value)]
    parameters = []
    for field in message.field:
        attribute, parameter = _types(field, nested)
        if _is_plain(field):
            lines.append(f"    {field.name}: {attribute}")
        else:
            lines += ["    @property", f"    def {field.name}(self) -> {attribute}: ..."]
        parameters.append(f"        {field.name}: {parameter} | None = ...,")
    lines += ["    def __init__(", "        self,", "        *,", *parameters, "    ) -> None: ..."]
    lines += _presence(message)
    return lines


def _is_plain(field: FieldDescriptorProto) -> bool:
    return field.label != _F.LABEL_REPEATED and field.type != _F.TYPE_MESSAGE


def _types(field: FieldDescriptorProto, maps: dict[str, DescriptorProto]) -> tuple[str, str]:
    """The type of a field when it is read, and in the constructor."""
    if field.type != _F.TYPE_MESSAGE:
        scalar = _SCALARS[field.type]
        if field.label == _F.LABEL_REPEATED:
            return f"RepeatedScalarFieldContainer[{scalar}]", f"Iterable[{scalar}]"
        return scalar, scalar
    name = field.type_name.removeprefix(PACKAGE_PREFIX)
    entry = maps.get(name.rpartition(".")[2])
    if entry is not None:
        key, value = (_types(part, {})[0] for part in entry.field)
        container = "MessageMap" if entry.field[1].type == _F.TYPE_MESSAGE else "ScalarMap"
        return f"{container}[{key}, {value}]", f"Mapping[{key}, {value}]"
    if field.label == _F.LABEL_REPEATED:
        return f"RepeatedCompositeFieldContainer[{name}]", f"Iterable[{name}]"
    return name, name


def _presence(message: DescriptorProto) -> Iterator[str]:
    present = [
        f.name
        for f in message.field
        if f.label != _F.LABEL_REPEATED and (f.type == _F.TYPE_MESSAGE or f.HasField("oneof_index"))
    ]
    if present:
        yield f"    def HasField(self, field_name: {_literal(present)}) -> bool: ..."
    for index, oneof in enumerate(message.oneof_decl):
        names = [f.name for f in message.field if f.HasField("oneof_index") and f.oneof_index == index]
        yield f'    def WhichOneof(self, oneof_group: Literal["{oneof.name}"]) -> {_literal(names)} | None: ...'


def _literal(names: list[str]) -> str:
    return "Literal[" + ", ".join(f'"{name}"' for name in names) + "]"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 when the committed files differ")
    arguments = parser.parse_args()
    descriptors = compile_protos()
    stub = make_stub(descriptors)
    if arguments.check:
        same = DESCRIPTORS_PATH.read_bytes() == descriptors and STUB_PATH.read_text() == stub
        print("messages are current" if same else "messages are stale: run tools/make_messages.py")
        return 0 if same else 1
    DESCRIPTORS_PATH.write_bytes(descriptors)
    STUB_PATH.write_text(stub)
    print(f"{len(descriptor_pb2.FileDescriptorSet.FromString(descriptors).file)} proto files compiled")
    return 0


if __name__ == "__main__":
    sys.exit(main())
