"""Readers of files: each turns the bytes of one format into a Graph. Nothing is ever unpickled.

The reader is chosen by the ending of the name, then by the content.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path

from seamark.format.budget import hold, reading
from seamark.graphs.form import Graph, GraphError

MAX_FILE_BYTES = 2 << 30
# Formats by the ending of the file's name: the module below this package, and its function.
SUFFIXES = {
    ".pb": ("graph_def", "from_pb_file"),
    ".pbtxt": ("graph_text", "from_text"),
    ".onnx": ("onnx", "from_onnx"),
    ".pt2": ("torch_export", "from_torch_export"),
    ".keras": ("keras", "from_keras_archive"),
    ".json": ("json_file", "from_json"),
}
# Zip files, of which only the members with the graph are read. They hold the weights, too, and may be of any size.
ARCHIVES = (".pt2", ".keras")
FORMAT_NAMES = (
    "GraphDef (.pb, .pbtxt), ONNX (.onnx), torch.export (.pt2), Keras (.keras, .json) and Model Explorer (.json)"
)
ZIP_START = b"PK\x03\x04"
START_BYTES = 1000
Reader = Callable[..., Graph]


def read_file(path: Path, name: str = "") -> Graph:
    """Raises GraphError for what is no graph, OSError for a file that cannot be read.

    `name` is the name of the file, which is also the title of the graph, if it is not that of the path.
    """
    return _read_within_limits(path, name or path.name)


def read_bytes(data: bytes, name: str) -> Graph:
    """`name` is the name of the file, which is also the title of the graph."""
    return _read_within_limits(data, name)


def _read_within_limits(source: bytes | Path, name: str) -> Graph:
    try:
        with reading(source, GraphError):
            return _read_source(source, name)
    except GraphError as error:
        raise GraphError(f"{error}: '{name}'") from error


def _read_source(source: bytes | Path, name: str) -> Graph:
    size = source.stat().st_size if isinstance(source, Path) else len(source)
    if not size:
        raise GraphError("the file is empty")
    format = SUFFIXES.get(Path(name).suffix.lower()) or _format_of_content(source)
    if format in [SUFFIXES[suffix] for suffix in ARCHIVES]:
        return _read(format, source, name)
    if size > MAX_FILE_BYTES:
        raise GraphError(f"the file has {size / (1 << 30):.1f} GiB, more than the limit of 2 GiB")
    hold(size)
    return _read(format, source.read_bytes() if isinstance(source, Path) else source, name)


def _read(format: tuple[str, str], source: bytes | Path, name: str) -> Graph:
    try:
        return _reader(format)(source, title=name)
    except MemoryError as error:
        raise GraphError("there is not enough memory for the graph") from error


def _reader(format: tuple[str, str]) -> Reader:
    module, function = format
    reader: Reader = getattr(import_module(f"{__name__}.{module}"), function)
    return reader


def _format_of_content(source: bytes | Path) -> tuple[str, str]:
    data = _beginning(source)
    start = data.lstrip()
    if data.startswith(ZIP_START):
        from seamark.graphs.readers.archive import Archive

        with Archive(source, "file") as archive:
            return SUFFIXES[".keras" if archive.find("config.json") else ".pt2"]
    if start.startswith((b"{", b"[")):
        return SUFFIXES[".json"]
    if start.startswith((b"node {", b"node{", b"versions {", b"library {")):
        return SUFFIXES[".pbtxt"]
    # The first field of an ONNX model is its version, that of a GraphDef a node.
    if data.startswith(b"\x08"):
        return SUFFIXES[".onnx"]
    if data.startswith(b"\n"):
        return SUFFIXES[".pb"]
    raise GraphError(f"the file is in no format that can be read; these can: {FORMAT_NAMES}")


def _beginning(source: bytes | Path) -> bytes:
    if isinstance(source, bytes):
        return source[:START_BYTES]
    with source.open("rb") as stream:
        return stream.read(START_BYTES)
