"""Small files for the Projector and Graphs that claim, or unpack to, gigabytes; and a process that opens them.

As a program: reads the paths as JSON from stdin, opens each, and writes a line of JSON for each: the error, and what
it cost in bytes of memory and in seconds of processor time.
"""

from __future__ import annotations

import base64
import json
import resource
import struct
import sys
import time
import zlib
from collections.abc import Iterator
from pathlib import Path

if __name__ == "__main__":
    # This file runs as a program: the folder that holds the package `tests` has to be named.
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import numpy as np

from seamark import _core
from seamark.format.messages import BundleEntry, BundleHeader, DataType, TensorShape

GIGA = 1 << 30
# Files that take long to make. Each line has the name of one, and its content: zlib, then base85.
#   bz2.npz, bz2.keras, lzma.keras: members of 400 MB of zeros, which claim to be small
#   row.parquet, list.arrow: one row of 100 M floats; rows.parquet: 50 of 2 M; flat.parquet: 30 M rows of 3 columns
#   words.parquet: one word of 1 MB in 4,000 rows; zeros.feather: 40 M rows of 3 columns
STORED = Path(__file__).with_name("hostile_files.b85")


def deflated(data: bytes) -> bytes:
    """Blocks after a full flush need nothing before them: one is packed, and may be repeated."""
    packer = zlib.compressobj(6, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush(zlib.Z_FULL_FLUSH)


def zip_of(name: str, packed: bytes, claimed_size: int, checksum: int = 0) -> bytes:
    """A zip file with one deflated member of any claimed size. The checksum is compared at its end."""
    packed += b"\x03\0"
    fields = struct.pack("<HHHHHIIIHH", 20, 0, 8, 0, 0x21, checksum, len(packed), claimed_size, len(name), 0)
    body = b"PK\3\4" + fields + name.encode() + packed
    directory = b"PK\1\2" + struct.pack("<H", 20) + fields + struct.pack("<HHHII", 0, 0, 0, 0, 0) + name.encode()
    return body + directory + b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, 1, 1, len(directory), len(body), 0)


def array_header(shape: tuple[int, ...], dtype: str = "<f4") -> bytes:
    text = repr({"descr": dtype, "fortran_order": False, "shape": shape}).encode()
    text += b" " * (-(len(text) + 11) % 64) + b"\n"
    return b"\x93NUMPY\1\0" + struct.pack("<H", len(text)) + text


def write_sparse(path: Path, size: int, start: bytes) -> None:
    """The file takes a few kilobytes on the disk."""
    with path.open("wb") as file:
        file.write(start)
        file.truncate(size)


def write_vectors(folder: Path) -> None:
    zeros = deflated(bytes(4 << 20)) * 256
    for name, rows, columns in (("row", 1, 1 << 28), ("rows", 1 << 20, 256)):
        data = deflated(array_header((rows, columns))) + zeros
        (folder / f"{name}.npz").write_bytes(zip_of("a.npy", data, GIGA + 128))
    write_sparse(folder / "sparse.npy", 128 + GIGA, array_header((1 << 27, 2)))
    write_sparse(folder / "half.npy", 128 + GIGA, array_header((1 << 28, 2), "<f2"))
    header = json.dumps({"a": {"dtype": "F32", "shape": [1 << 27, 2], "data_offsets": [0, GIGA]}}).encode()
    write_sparse(folder / "sparse.safetensors", 8 + len(header) + GIGA, struct.pack("<Q", len(header)) + header)
    (folder / "boolean.npy").write_bytes(array_header((True, 4)) + bytes(16))
    deep = b'{"a":' * 40_000 + b"1" + b"}" * 40_000
    (folder / "deep.safetensors").write_bytes(struct.pack("<Q", len(deep)) + deep)
    write_sparse(folder / "sparse.csv", GIGA, b"x0,x1,x2\n1,2,3\n1,2,3\n")
    (folder / "empty.csv").write_text(("," * 99_999 + "\n") * 3)
    (folder / "digits.csv").write_text(f"{'1' * 100_000}a,{'1' * 100_000}\nx,1\nx,2\n")


def write_labels(folder: Path) -> None:
    for name in ("csv", "tsv", "commas", "tabs", "short"):
        np.save(folder / f"{name}.npy", np.zeros((3, 2), np.float32))
    write_sparse(folder / "csv.metadata.csv", GIGA, b"a,b\nx,y\n")
    write_sparse(folder / "tsv.metadata.tsv", GIGA, b"a\tb\nx\ty\n")
    (folder / "commas.metadata.csv").write_text(("," * 99_999 + "\n") * 2)
    (folder / "tabs.metadata.tsv").write_text(("\t" * 99_999 + "\n") * 2)
    (folder / "short.metadata.tsv").write_text("a\t" * 9_990 + "\n" + "a\n" * 400_000)


def write_graphs(folder: Path) -> None:
    (folder / "nodes.pb").write_bytes(b"\x0a\0" * 2_000_000)
    inputs = b"".join(b"\x1a\x09node%05d" % at for at in range(1000))
    nodes = [b"\x0a\x0b\x0a\x09node%05d" % at for at in range(1000)]
    nodes += [b"\x0a" + varint(len(inputs) + 11) + b"\x0a\x09next%05d" % at + inputs for at in range(900)]
    (folder / "edges.pb").write_bytes(b"".join(nodes))
    empty = b"\x0a\0" * 2_000_000
    (folder / "nodes.onnx").write_bytes(b"\x08\x08\x3a" + varint(len(empty)) + empty)
    (folder / "zeros.onnx").write_bytes(bytes(20 << 20))
    (folder / "newlines.onnx").write_bytes(b"\x0a" * (20 << 20))
    layer = b'{"a":[' + b"{}," * 40 + b"{}]},"
    start = deflated(b'{"class_name":"Functional","config":{"layers":[')
    packed = start + deflated(layer * 10_000) * 200
    (folder / "dense.keras").write_bytes(zip_of("config.json", packed, 47 + len(layer) * 2_000_000))
    layers = (b'{"class_name":"Dense","config":{"name":"d%d"},"name":"d%d"}' % (at, at) for at in range(200_000))
    text = b'{"class_name":"Functional","config":{"layers":[' + b",".join(layers) + b"]}}"
    (folder / "layers.keras").write_bytes(zip_of("config.json", deflated(text), len(text), zlib.crc32(text)))


def varint(number: int) -> bytes:
    return bytes([number & 0x7F | 0x80]) + varint(number >> 7) if number > 0x7F else bytes([number])


def write_checkpoints(folder: Path) -> None:
    """One whose tensors share a long name, and one whose index names the same block again and again."""
    header = BundleHeader(num_shards=1).SerializeToString()
    shape = TensorShape(dim=[TensorShape.Dim(size=2), TensorShape.Dim(size=2)])
    entry = BundleEntry(dtype=DataType.DT_FLOAT, shape=shape, size=16).SerializeToString()
    for run, length in (("long", 100_000), ("shared", 60_000)):
        names = [(0, b"", header), (0, b"n" * length, entry)]
        names += [(length, at.to_bytes(4, "big"), entry) for at in range(20_000)]
        write_checkpoint(folder / run, table_block(iter(names)), 1)
    write_checkpoint(folder / "handles", table_block(iter([(0, b"", header), (0, b"x", bytes(8 << 20))])), 20_000)


def write_checkpoint(folder: Path, block: bytes, handles: int) -> None:
    handle = varint(0) + varint(len(block) - 5)
    index = table_block((0, at.to_bytes(4, "big"), handle) for at in range(handles))
    footer = varint(0) + varint(0) + varint(len(block)) + varint(len(index) - 5)
    folder.mkdir()
    (folder / "checkpoint").write_text('model_checkpoint_path: "m"\n')
    (folder / "m.index").write_bytes(block + index + footer.ljust(40, b"\0") + struct.pack("<Q", 0xDB4775248B80FB57))
    (folder / "m.data-00000-of-00001").write_bytes(bytes(16))


def table_block(entries: Iterator[tuple[int, bytes, bytes]]) -> bytes:
    """Each entry: how much of the key before it shares, the rest of its key, and its value."""
    rows = (varint(shared) + varint(len(key)) + varint(len(value)) + key + value for shared, key, value in entries)
    block = b"".join(rows) + struct.pack("<II", 0, 1) + b"\0"
    return block + struct.pack("<I", _core.masked_crc32c(block))


def write_arrow(folder: Path) -> None:
    """20,000 columns of one name; and a text of 1 MB that 4,000 rows share."""
    import pyarrow
    import pyarrow.feather
    import pyarrow.parquet

    columns = [pyarrow.array([1.0])] * 20_000
    pyarrow.parquet.write_table(pyarrow.Table.from_arrays(columns, ["x"] * 20_000), folder / "names.parquet")
    shared = pyarrow.DictionaryArray.from_arrays(pyarrow.array([0] * 4000, pyarrow.int16()), ["x" * 1_000_000])
    table = pyarrow.table({"v": [[1.0, 2.0]] * 4000, "word": shared})
    pyarrow.feather.write_feather(table, folder / "words.feather", compression="zstd")


def write_all(folder: Path) -> None:
    for line in STORED.read_text().splitlines():
        name, _, packed = line.partition(" ")
        (folder / name).write_bytes(zlib.decompress(base64.b85decode(packed)))
    for write in (write_vectors, write_labels, write_graphs, write_checkpoints, write_arrow):
        write(folder)


def open_file(path: Path) -> list[str]:
    """Opens it as the page does, and returns the problems that it names."""
    if path.is_dir():
        from seamark.embeddings.readers.checkpoints import Checkpoints

        found = Checkpoints().find(path, path.parent, "")
        return [] if found else ["the checkpoint is left out"]
    if path.suffix in (".pb", ".onnx", ".keras", ".json"):
        from seamark.graphs.readers import read_file
        from seamark.graphs.session import GraphSession

        GraphSession(read_file(path))
        return []
    from seamark.embeddings import opening
    from seamark.embeddings.readers.files import SEVERAL_ARRAYS, arrays_in, is_probably_one
    from seamark.embeddings.vector_cache import VectorCache

    if not (arrays_in(path) and is_probably_one(path)):
        return ["no embedding"]
    labels = next(path.parent.glob(f"{path.stem}.metadata.*"), None)
    array = "a" if path.suffix in SEVERAL_ARRAYS else ""
    return list(opening.open_file(VectorCache(None), path, array, labels).problems)


def open_table(path: Path) -> list[str]:
    """Opens it as What-If does."""
    from seamark.examples.readers.sources import read_source

    return list(read_source(path).problems)


def main() -> None:
    from tests.faults.hostile import limit_memory, peak_bytes

    task = json.loads(sys.stdin.readline())
    for path in task["harmless"]:  # loads what their readers need
        open_file(Path(path))
        if Path(path).suffix in task["table_suffixes"]:
            open_table(Path(path))
    limit_memory(task["limit_bytes"])
    for path, is_table in task["paths"]:
        Path("/proc/self/clear_refs").write_text("5")  # the peak begins again
        before, started = peak_bytes(), time.process_time()
        try:
            said = "; ".join((open_table if is_table else open_file)(Path(path)))
        except (ValueError, MemoryError) as error:
            said = f"{type(error).__name__}: {error}"
        cost = {"said": said, "bytes": peak_bytes() - before, "secs": time.process_time() - started}
        print(json.dumps({"name": Path(path).name, "is_table": is_table, **cost}), flush=True)


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    main()
