"""Readers of files: each turns the bytes of one format into a Graph. Nothing is ever unpickled.

The reader is chosen by the ending of the name, then by the content.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path

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
Reader = Callable[..., Graph]


def read_file(path: Path) -> Graph:
    """Raises GraphError for what is no graph, OSError for a file that cannot be read."""
    size = path.stat().st_size
    if size and path.suffix.lower() in ARCHIVES:
        return _read(SUFFIXES[path.suffix.lower()], path, path.name)
    if size > MAX_FILE_BYTES:
        raise GraphError(f"the file has {size / (1 << 30):.1f} GiB, more than the limit of 2 GiB: '{path.name}'")
    return read_bytes(path.read_bytes(), path.name)


def read_bytes(data: bytes, name: str) -> Graph:
    """`name` is the name of the file, which is also the title of the graph."""
    if len(data) > MAX_FILE_BYTES:
        raise GraphError(f"the file is larger than the limit of 2 GiB: '{name}'")
    if not data:
        raise GraphError(f"the file is empty: '{name}'")
    return _read(SUFFIXES.get(Path(name).suffix.lower()) or _format_of_content(data, name), data, name)


def _read(format: tuple[str, str], source: bytes | Path, name: str) -> Graph:
    try:
        return _reader(format)(source, title=name)
    except GraphError as error:
        raise GraphError(f"{error}: '{name}'") from error
    except MemoryError as error:
        raise GraphError(f"there is not enough memory for the graph: '{name}'") from error


def _reader(format: tuple[str, str]) -> Reader:
    module, function = format
    reader: Reader = getattr(import_module(f"{__name__}.{module}"), function)
    return reader


def _format_of_content(data: bytes, name: str) -> tuple[str, str]:
    start = data[:1000].lstrip()
    if data.startswith(ZIP_START):
        from seamark.graphs.readers.archive import Archive

        return SUFFIXES[".keras" if Archive(data, "file").find("config.json") else ".pt2"]
    if start.startswith((b"{", b"[")):
        return SUFFIXES[".json"]
    if start.startswith((b"node {", b"node{", b"versions {", b"library {")):
        return SUFFIXES[".pbtxt"]
    # The first field of an ONNX model is its version, that of a GraphDef a node.
    if data.startswith(b"\x08"):
        return SUFFIXES[".onnx"]
    if data.startswith(b"\n"):
        return SUFFIXES[".pb"]
    raise GraphError(f"'{name}' is in no format that can be read; these can: {FORMAT_NAMES}")
