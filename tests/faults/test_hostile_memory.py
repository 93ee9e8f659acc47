"""No hostile file takes more than 300 MB: limits apply before memory is allocated."""

from __future__ import annotations

import json
import mmap
import os
import struct
import subprocess
import sys
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO
from urllib.parse import urlencode

from PIL import Image

from seamark import _core
from seamark.format.messages import DataType, Event, MeshPluginData, Summary, SummaryMetadata, Tensor, TensorShape
from seamark.kinds.image import encode_files
from seamark.kinds.projector.config import Embedding, ProjectorConfig, Sprite, encode
from seamark.kinds.summary import event_record
from tests.faults import logs

MAX_BYTES = 350_000_000
HUGE = 1 << 27


@dataclass(frozen=True)
class Answers:
    by_path: dict[str, dict[str, Any]]
    bytes: int
    problems: list[str]

    def statuses(self) -> dict[str, int]:
        return {path: answer["status"] for path, answer in self.by_path.items()}


def ask(logdir: Path, paths: Sequence[str]) -> Answers:
    """Returns the responses of a process limited to 2 GB, and the memory that they took."""
    task = {"logdir": str(logdir), "limit_bytes": 2_000_000_000, "paths": list(paths)}
    program = [sys.executable, str(Path(__file__).with_name("hostile.py"))]
    ended = subprocess.run(program, input=json.dumps(task), text=True, capture_output=True, timeout=300, check=False)
    assert ended.returncode == 0, ended.stderr[-2000:]
    result = json.loads(ended.stdout.splitlines()[-1])
    assert result["is_loaded"]
    return Answers({answer["path"]: answer for answer in result["answers"]}, result["bytes"], result["problems"])


def value(tag: str, plugin: str, tensor: Tensor, content: bytes = b"") -> Summary.Value:
    data = SummaryMetadata.PluginData(plugin_name=plugin, content=content)
    return Summary.Value(tag=tag, tensor=tensor, metadata=SummaryMetadata(plugin_data=data))


def claims(dtype: int, shape: Sequence[int], **fields: Any) -> Tensor:
    return Tensor(dtype=dtype, tensor_shape=TensorShape(dim=[TensorShape.Dim(size=size) for size in shape]), **fields)


def write_events(logdir: Path, values: Sequence[Summary.Value], *, steps: int = 1) -> None:
    records = [event_record(values, step=step, wall_time=1.0 + step) for step in range(steps)]
    logs.write(logdir, "run", b"".join(records))


def test_a_small_event_with_a_huge_shape_takes_little_memory(tmp_path: Path) -> None:
    """A payload with one value and a shape of a hundred million: decoders would repeat the last value that often."""
    mesh = MeshPluginData(name="mesh", content_type=MeshPluginData.VERTEX, shape=[1, HUGE, 3]).SerializeToString()
    write_events(
        tmp_path,
        [
            value("text", "text", claims(DataType.DT_STRING, [HUGE], string_val=[b"x"])),
            value("wide", "text", claims(DataType.DT_STRING, [1 << 40, 0])),
            value("image", "images", claims(DataType.DT_STRING, [HUGE], string_val=[b"1", b"1", b"GIF89a"])),
            value("audio", "audio", claims(DataType.DT_STRING, [HUGE, 2], string_val=[b"x"])),
            value("histogram", "histograms", claims(DataType.DT_DOUBLE, [HUGE // 3, 3], double_val=[1.0])),
            value("curve", "pr_curves", claims(DataType.DT_FLOAT, [6, HUGE // 6], float_val=[1.0])),
            value("mesh_VERTEX", "mesh", claims(DataType.DT_FLOAT, [1, HUGE // 3, 3], float_val=[1.0]), mesh),
            value("raw", "nobody", claims(DataType.DT_COMPLEX128, [HUGE], dcomplex_val=[1.0, 2.0])),
            value("keras", "graph_keras_model", claims(DataType.DT_STRING, [HUGE], string_val=[b"{}"])),
        ],
        steps=200,  # of every kind a whole series may be decoded for one answer
    )
    one = urlencode({"run": "run", "index": 0, "wall": 1.0})
    paths = [
        f"/api/dashboards/text/entry?{one}&tag=text",
        f"/api/dashboards/text/entry?{one}&tag=wide",
        "/api/dashboards/text/search?q=x",
        f"/api/dashboards/images/step?{one}&tag=image",
        "/api/dashboards/video/tags",
        f"/api/dashboards/audio/clips?{one}&tag=audio",
        "/api/histograms?run=run&tag=histogram&parts=all",
        "/api/dashboards/pr_curves/curves?run=run&tag=curve&index=0",
        "/api/dashboards/mesh/meshes?run=run",
        f"/api/dashboards/mesh/part?{one}&tag=mesh_VERTEX&part=1",
        f"/api/payload?{one}&tag=raw&kind=nobody",
        "/data/plugin/text/text?run=run&tag=text",
        "/data/plugin/text/text?run=run&tag=wide",
        "/data/plugin/images/tags",
        "/data/plugin/images/images?run=run&tag=image&sample=0",
        "/data/plugin/audio/tags",
        "/data/plugin/histograms/histograms?run=run&tag=histogram",
        "/data/plugin/distributions/distributions?run=run&tag=histogram",
        "/data/plugin/pr_curves/pr_curves?run=run&tag=curve",
        "/data/plugin/mesh/data?run=run&tag=mesh&content_type=VERTEX&sample=0&step=0",
        "/data/plugin/graphs/info",
    ]
    answers = ask(tmp_path, paths)
    assert answers.bytes < MAX_BYTES, answers
    assert all(status < 500 for status in answers.statuses().values()), answers


def test_projector_files_of_any_size_are_read_up_to_a_limit(tmp_path: Path) -> None:
    write_events(tmp_path, [Summary.Value(tag="loss", simple_value=1.0)])
    names = ("t.tsv", "raw.bytes")
    for name in names:
        with (tmp_path / "run" / name).open("wb") as file:
            file.truncate(1 << 30)  # sparse: it takes no room on the disk
    embeddings = [Embedding(name, name, (), name, name, Sprite(name, (1, 1))) for name in names]
    embeddings[1] = replace(embeddings[1], tensor_shape=(1 << 18, 1 << 10))
    (tmp_path / "run" / "projector_config.pbtxt").write_text(encode(ProjectorConfig(tuple(embeddings))))
    questions = ("tensor", "tensor", "metadata", "bookmarks", "sprite_image")
    paths = [f"/data/plugin/projector/{what}?run=run&name={name}" for what in questions for name in names]
    answers = ask(tmp_path, ["/data/plugin/projector/info?run=run", *paths])
    assert answers.bytes < MAX_BYTES, answers
    assert answers.statuses() == {
        path: 200 if "info" in path else 400 if "tensor?run=run&name=t.tsv" in path else 413 for path in answers.by_path
    }


def picture(mode: str, side: int, form: str, **options: Any) -> bytes:
    out = BytesIO()
    Image.new(mode, (side, side)).save(out, form, **options)
    return out.getvalue()


def png_of_zeros(side: int, *, bits: int, color_type: int, row_bytes: int, first: bytes = b"") -> bytes:
    """Encodes the image itself: Pillow takes seconds for this many pixels."""
    packer = zlib.compressobj(1)
    rows = b"".join([*(packer.compress(bytes(row_bytes + 1)) for _ in range(side)), packer.flush()])
    header = struct.pack(">IIBBBBB", side, side, bits, color_type, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", rows), (b"IEND", b""))
    chunks = [
        struct.pack(">I", len(part)) + name + part + struct.pack(">I", zlib.crc32(name + part)) for name, part in parts
    ]
    return b"\x89PNG\r\n\x1a\n" + first + b"".join(chunks)


def gif_of(frames: int, side: int, *, screen: int) -> bytes:
    frame = b"\x2c\0\0\0\0" + struct.pack("<HH", side, side) + b"\0\x02\x02\x44\x01\0"
    return b"GIF89a" + struct.pack("<HH", screen, screen) + b"\x80\0\0" + bytes(6) + frame * frames + b";"


def test_images_of_any_size_take_bounded_memory(tmp_path: Path) -> None:
    """The largest images that are decoded, and larger ones with a small header."""
    side = 7_700
    private = b"\0\0\0\4prIv\0\0\0\1" + struct.pack(">I", zlib.crc32(b"prIv\0\0\0\1"))
    pictures = {
        "colour": png_of_zeros(side, bits=8, color_type=6, row_bytes=4 * side),
        "deep": png_of_zeros(side, bits=16, color_type=0, row_bytes=2 * side),
        "webp": picture("RGB", 3_800, "WEBP", lossless=True, quality=0),
        "hidden": png_of_zeros(13_000, bits=1, color_type=0, row_bytes=1_625, first=private),
        "screen": gif_of(2, 13_000, screen=1),
        "many": gif_of(300, 8_000, screen=8_000),
        "moving": gif_of(300, 3_000, screen=3_000),
    }
    write_events(tmp_path, [encode_files(tag, [data], width=1, height=1) for tag, data in pictures.items()])
    one = "run=run&index=0&wall=1.0"
    paths = ["/api/dashboards/video/tags"]
    for tag in pictures:
        paths += [f"/api/dashboards/images/thumbnail?{one}&tag={tag}&side=64"]
        paths += [f"/api/dashboards/images/step?{one}&tag={tag}"]
        paths += [f"/api/dashboards/images/frame?{one}&tag={tag}&frame=3"]
    answers = ask(tmp_path, paths)
    assert answers.bytes < MAX_BYTES, answers
    assert all(status < 500 for status in answers.statuses().values()), answers
    drawn = [path for path, status in answers.statuses().items() if "thumbnail" in path and status == 200]
    assert [path.split("tag=")[1].split("&")[0] for path in drawn] == ["colour", "deep", "webp", "moving"]


def sparse_image(file: BinaryIO, size: int) -> None:
    """Writes a valid record of one image of zeros as a hole in the file."""

    def field(number: int, inner: bytes) -> bytes:
        length = len(inner) + size
        return bytes([number << 3 | 2]) + _varint(length) + inner

    plugin = Summary.Value(tag="long", metadata=SummaryMetadata(plugin_data={"plugin_name": "images"}))
    tensor = claims(DataType.DT_STRING, [3], string_val=[b"1", b"1"]).SerializeToString() + field(8, b"")
    value = plugin.SerializeToString() + field(8, tensor)
    start = Event(wall_time=1.0, step=7).SerializeToString() + field(5, field(1, value))
    header = struct.pack("<Q", len(start) + size)
    with mmap.mmap(-1, len(start) + size) as data:
        data[: len(start)] = start
        checksum = _core.masked_crc32c(data)
    file.write(header + struct.pack("<I", _core.masked_crc32c(header)) + start)
    file.seek(size, os.SEEK_CUR)
    file.write(struct.pack("<I", checksum))


def _varint(number: int) -> bytes:
    return bytes([number & 0x7F | 0x80]) + _varint(number >> 7) if number > 0x7F else bytes([number])


def test_long_records_are_not_held_in_memory(tmp_path: Path) -> None:
    """Sparse files: records of 300 MB and of 9 GB take a few kilobytes on disk."""
    path = logs.write(tmp_path, "run", logs.points("loss", 0, 3))
    header = struct.pack("<Q", 9 << 30)
    header += struct.pack("<I", _core.masked_crc32c(header))
    with path.open("r+b") as file:  # appending would fill the holes
        file.seek(0, os.SEEK_END)
        sparse_image(file, 300 << 20)
        file.write(header)
        file.seek((9 << 30) + 4, os.SEEK_CUR)
        file.write(logs.points("loss", 3, 3))
    one = "run=run&tag=long&index=0&wall=1.0"
    paths = {
        "/data/plugin/scalars/scalars?run=run&tag=loss": 200,
        "/api/payloads?run=run&tag=long&kind=images": 200,
        f"/api/payload?{one}&kind=images": 422,
        f"/api/dashboards/images/thumbnail?{one}": 422,
        f"/api/dashboards/images/step?{one}": 200,
        "/api/dashboards/video/tags": 200,
        "/data/plugin/images/tags": 200,
    }
    answers = ask(tmp_path, list(paths))
    assert answers.statuses() == paths
    assert answers.bytes < 100_000_000, answers
    points, payloads, *_, step, _, _ = (answer["body"] for answer in answers.by_path.values())
    assert [point[1] for point in json.loads(points)] == list(range(6))
    assert json.loads(payloads)["steps"] == [7]
    assert "too large to be shown" in step
    (problem,) = answers.problems
    assert "a record that is too long: got 9663676416 bytes, want at most 2147483647" in problem


def test_verify_checks_long_records_without_holding_them_in_memory(tmp_path: Path) -> None:
    path = logs.write(tmp_path, "run", logs.points("loss", 0, 3))
    header = struct.pack("<Q", 9 << 30)
    with path.open("r+b") as file:
        start = file.seek(0, os.SEEK_END)
        file.write(header + struct.pack("<I", _core.masked_crc32c(header)))
        file.seek((9 << 30) + 4, os.SEEK_CUR)
        file.write(logs.points("loss", 3, 3))
    limited = "import resource as r, sys; r.setrlimit(r.RLIMIT_AS, (2 << 30, 2 << 30))"
    program = f"{limited}; from seamark.cli import main; sys.exit(main(['verify', sys.argv[1]]))"
    ended = subprocess.run(
        [sys.executable, "-c", program, str(path)], capture_output=True, text=True, timeout=60, check=False
    )
    assert ended.returncode == 1, ended.stderr
    assert (
        f"damage at byte {start}: a record that is too long; the record of 9,663,676,416 bytes is skipped"
        in ended.stdout
    )
