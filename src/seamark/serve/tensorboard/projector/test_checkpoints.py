"""Embeddings in TensorFlow's checkpoints, read without TensorFlow, and damaged or misleading checkpoints."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from starlette.testclient import TestClient

from seamark._core import masked_crc32c
from seamark.format.messages import BundleEntry, BundleHeader, DataType, TensorSlice
from seamark.kinds import DecodeError
from seamark.kinds.projector.checkpoint import embeddings_in
from seamark.kinds.projector.checkpoint_table import MAGIC, slice_key
from seamark.kinds.projector.config import Embedding, ProjectorConfig, encode
from seamark.serve.tensorboard.projector.conftest import Get

WEIGHTS = np.arange(12, dtype="<f4").reshape(4, 3)
TENSORS: dict[bytes, Any] = {
    b"\0slice": np.ones((2, 2), "<f4"),
    b"bias": np.ones(3, "<f4"),
    b"counts": np.arange(6, dtype="<i8").reshape(3, 2),
    b"dense/.OPTIMIZER_SLOT/m": np.ones((4, 3), "<f4"),
    b"weights": WEIGHTS,
}
Extents = tuple[tuple[int, int], ...]  # start and length in each dimension
NO_SLICES: Mapping[Extents, Any] = {}
PARTS = np.arange(7 * 72, dtype="<f4").reshape(7, 72)
SLICES: Mapping[Extents, Any] = {
    ((0, 3), (0, 2)): PARTS[:3, :2],
    ((3, 4), (0, 2)): PARTS[3:, :2],
    ((0, -1), (2, 70)): PARTS[:, 2:],
}
DTYPES = {"<f4": DataType.DT_FLOAT, "<i8": DataType.DT_INT64}


def varint(number: int) -> bytes:
    return bytes([number]) if number < 128 else bytes([number & 127 | 128]) + varint(number >> 7)


def block(entries: list[tuple[bytes, bytes]]) -> bytes:
    """A block of LevelDB, in which a key leaves out the prefix that it shares with the one before."""
    out, previous = b"", b""
    for key, value in entries:
        shared = next((i for i, (a, b) in enumerate(zip(previous, key, strict=False)) if a != b), len(previous))
        shared = min(shared, len(key))
        out += varint(shared) + varint(len(key) - shared) + varint(len(value)) + key[shared:] + value
        previous = key
    out += struct.pack("<II", 0, 1)
    return out + b"\0" + struct.pack("<I", masked_crc32c(out + b"\0"))


def table_of(*blocks: list[tuple[bytes, bytes]]) -> bytes:
    table, handles = b"", []
    for part in filter(None, blocks):
        written = block(part)
        handles.append((part[-1][0], varint(len(table)) + varint(len(written) - 5)))
        table += written
    index, index_at = block(handles), len(table)
    footer = varint(0) + varint(0) + varint(index_at) + varint(len(index) - 5)
    return table + index + footer.ljust(40, b"\0") + struct.pack("<Q", MAGIC)


def write_checkpoint(
    folder: Path,
    name: str = "model-1",
    *,
    state: str | None = None,
    tensors: Mapping[bytes, Any] = TENSORS,
    weights_bytes: int = WEIGHTS.nbytes,
    slices: Mapping[Extents, np.ndarray[Any, Any]] = NO_SLICES,
) -> Path:
    data = b""
    entries = [(b"", BundleHeader(num_shards=1).SerializeToString())]
    sliced = {slice_key(b"parts", extents): array for extents, array in slices.items()}
    for key, array in sorted({**tensors, **sliced}.items()):
        entry = BundleEntry(dtype=DTYPES[array.dtype.str], offset=len(data), size=array.nbytes)
        if key == b"weights":
            entry.size = weights_bytes
        for size in array.shape:
            entry.shape.dim.add(size=size)
        entry.crc32c = masked_crc32c(array.tobytes())
        data += array.tobytes()
        entries.append((key, entry.SerializeToString()))
        if key == b"counts" and slices:
            entries.append((b"parts", whole_entry((7, 72), slices).SerializeToString()))
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.index").write_bytes(table_of(entries[:3], entries[3:]))
    (folder / f"{name}.data-00000-of-00001").write_bytes(data)
    (folder / "checkpoint").write_text(f'model_checkpoint_path: "{state or name}"\nall_model_checkpoint_paths: "x"\n')
    return folder / name


def whole_entry(shape: tuple[int, int], slices: Mapping[Extents, Any]) -> BundleEntry:
    """The entry of a tensor in slices."""
    entry = BundleEntry(dtype=DataType.DT_FLOAT)
    for size in shape:
        entry.shape.dim.add(size=size)
    for extents in slices:
        one = TensorSlice()
        for start, length in extents:
            one.extent.add(start=start, **({} if length < 0 else {"length": length}))
        entry.slices.append(one)
    return entry


def test_the_keys_of_slices_are_those_of_tensorflow() -> None:
    # As the checkpoint writer of TensorFlow 2.21 writes them.
    assert slice_key(b"parts", [(0, 4), (0, 4)]) == b"\0parts\0\1\1\2\x80\x84\x80\x84"
    assert slice_key(b"big", [(282, 302), (0, 16)]) == b"\0big\0\1\1\2\xc1\x1a\xc1.\x80\x90"
    assert slice_key(b"a\0b\xff", [(63, 64)]) == b"\0a\0\xffb\xff\0\0\1\1\1\xbf\xc0@"
    assert slice_key(b"x", [(0, -1), (8191, 8192)])[-6:] == b"\x7f\xdf\xff\xe0\x20\x00"


def test_a_partitioned_variable_is_put_together(get: Get, logdir: Path) -> None:
    prefix = write_checkpoint(logdir / "a", slices=SLICES)
    assert [one["tensorName"] for one in get("info", run="a").json()["embeddings"]] == ["counts", "parts", "weights"]
    assert get("tensor", run="a", name="parts").content == PARTS.tobytes()
    assert get("tensor", run="a", name="parts", num_rows="5").content == PARTS[:5].tobytes()
    data = Path(f"{prefix}.data-00000-of-00001")
    data.write_bytes(bytes(byte ^ 1 for byte in data.read_bytes()))
    assert get("tensor", run="a", name="parts").status_code == 422


def test_a_variable_whose_slices_do_not_cover_it_is_left_out(tmp_path: Path) -> None:
    for wrong in (
        dict(list(SLICES.items())[:2]),  # one is missing
        {**SLICES, ((0, 7), (0, 2)): PARTS[:, :2]},  # one covers another
        {((0, 3), (0, 2)): PARTS[:3, :2], ((3, 5), (0, 2)): PARTS[:5, :2], ((0, -1), (2, 70)): PARTS[:, 2:]},
        {((-1, 7), (0, 72)): PARTS},
        {((0, 7),): PARTS},
    ):
        prefix = write_checkpoint(tmp_path, slices=wrong)
        assert [tensor.name for tensor in embeddings_in(prefix)] == ["counts", "weights"]


def test_a_checkpoint_lists_its_tables_and_not_the_optimizers(get: Get, client: TestClient, logdir: Path) -> None:
    assert get("runs").json() == []
    write_checkpoint(logdir / "a")
    assert get("runs").json() == ["a"]
    assert client.get("/data/plugins_listing").json()["projector"]["enabled"]
    info = get("info", run="a").json()
    assert info["modelCheckpointPath"] == str(logdir / "a" / "model-1")
    assert [(one["tensorName"], one["tensorShape"]) for one in info["embeddings"]] == [
        ("counts", [3, 2]),
        ("weights", [4, 3]),
    ]
    for name in ("weights", "weights:0"):
        assert get("tensor", run="a", name=name).content == WEIGHTS.tobytes()
    counts = np.frombuffer(get("tensor", run="a", name="counts", num_rows="2").content, "<f4")
    assert counts.tolist() == [0, 1, 2, 3]
    assert get("tensor", run="a", name="bias").status_code == 400


def test_a_config_describes_the_tensors_of_a_checkpoint(get: Get, logdir: Path) -> None:
    write_checkpoint(logdir / "a")
    config = ProjectorConfig((Embedding("weights", metadata_path="labels.tsv"), Embedding("elsewhere")))
    (logdir / "a" / "projector_config.pbtxt").write_text(encode(config))
    (logdir / "a" / "labels.tsv").write_text("one\ntwo\n")
    embeddings = {one["tensorName"]: one for one in get("info", run="a").json()["embeddings"]}
    assert embeddings["weights"] == {"tensorName": "weights", "metadataPath": "labels.tsv", "tensorShape": [4, 3]}
    assert embeddings.keys() == {"weights", "elsewhere", "counts"}
    assert get("metadata", run="a", name="weights").text == "one\ntwo\n"
    assert get("tensor", run="a", name="elsewhere").status_code == 400
    (logdir / "a" / "projector_config.pbtxt").write_text(
        encode(ProjectorConfig((Embedding(metadata_path="labels.tsv"),)))
    )
    embeddings = {one["tensorName"]: one for one in get("info", run="a").json()["embeddings"]}
    assert {one["metadataPath"] for one in embeddings.values()} == {"labels.tsv"}


def test_a_checkpoint_in_the_parent_folder_with_a_path_of_another_machine(get: Get, logdir: Path) -> None:
    write_checkpoint(logdir / "b", state="/home/somebody/runs/b/model-1")
    assert get("runs").json() == ["b/deep"]
    assert get("tensor", run="b/deep", name="weights").content == WEIGHTS.tobytes()


def test_no_checkpoint_outside_the_log_directory_is_read(get: Get, logdir: Path) -> None:
    outside = write_checkpoint(logdir.parent / "secret")
    write_checkpoint(logdir.parent, "beside")  # in the folder above the log directory
    for state in (str(outside), "../../secret/model-1", "linked/model-1", "x\\0", "link"):
        (logdir / "a" / "checkpoint").write_text(f'model_checkpoint_path: "{state}"\n')
        (logdir / "a" / "linked").unlink(missing_ok=True)
        (logdir / "a" / "linked").symlink_to(outside.parent)
        (logdir / "a" / "link").unlink(missing_ok=True)
        (logdir / "a" / "link").symlink_to(outside)
        assert get("runs").json() == [], state
    prefix = write_checkpoint(logdir / "a")
    data = Path(f"{prefix}.data-00000-of-00001")
    data.unlink()
    data.symlink_to(f"{outside}.data-00000-of-00001")
    assert get("tensor", run="a", name="weights").status_code == 400


def test_a_flipped_bit_is_an_error_or_changes_nothing(tmp_path: Path) -> None:
    prefix = write_checkpoint(tmp_path)
    index = Path(f"{prefix}.index")
    whole, want = index.read_bytes(), embeddings_in(prefix)
    for at in range(len(whole)):
        index.write_bytes(whole[:at] + bytes([whole[at] ^ 0x41]) + whole[at + 1 :])
        try:
            assert embeddings_in(prefix) == want, at
        except DecodeError:
            continue
    for end in range(len(whole)):
        index.write_bytes(whole[:end])
        with pytest.raises(DecodeError):
            embeddings_in(prefix)


def test_damaged_numbers_and_wrong_sizes_are_rejected(get: Get, logdir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    prefix = write_checkpoint(logdir / "a")
    data = Path(f"{prefix}.data-00000-of-00001")
    data.write_bytes(data.read_bytes()[:-1] + b"\xff")
    answer = get("tensor", run="a", name="weights")
    assert (answer.status_code, "checksum" in answer.text) == (422, True)
    for size in (0, 1, 2**62):
        write_checkpoint(logdir / "a", weights_bytes=size)
        assert [tensor.name for tensor in embeddings_in(prefix)] == ["counts"]
    write_checkpoint(logdir / "a")
    monkeypatch.setattr("seamark.serve.tensorboard.projector.files.MAX_TENSOR_BYTES", 40)
    assert get("tensor", run="a", name="weights").status_code == 413
    assert get("tensor", run="a", name="weights", num_rows="1").content == WEIGHTS[:1].tobytes()
