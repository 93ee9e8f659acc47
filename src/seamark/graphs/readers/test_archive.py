"""Zip files that are damaged, or made to fill the memory."""

from __future__ import annotations

import io
import struct
import tracemalloc
import zipfile

import pytest

from seamark.graphs.form import GraphError
from seamark.graphs.readers import archive as module
from seamark.graphs.readers import read_bytes
from seamark.graphs.readers.archive import Archive
from seamark.graphs.test_support import zipped


def test_members_by_name_and_below_one_folder() -> None:
    archive = Archive(zipped({"gpt/models/model.json": b"{}", "a/b/models/model.json": b"no"}), "file")
    assert archive.find("models/model.json") == "gpt/models/model.json"
    assert archive.read("gpt/models/model.json") == b"{}"
    assert archive.find("config.json") is None


@pytest.mark.parametrize("name", ["bomb.pt2", "bomb.keras"])
def test_a_zip_bomb_is_a_sentence_and_takes_no_memory(name: str) -> None:
    member = "x/models/model.json" if name.endswith(".pt2") else "config.json"
    data = zipped({member: b" " * (64 << 20)})
    tracemalloc.start()
    with pytest.raises(GraphError, match=r"packed more than 500:1, as a zip bomb is: 'bomb"):
        read_bytes(data, name)
    assert tracemalloc.get_traced_memory()[1] < 16 << 20
    tracemalloc.stop()


def test_a_member_above_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_MEMBER_BYTES", 1000)
    data = zipped({"config.json": bytes(range(256)) * 8}, zipfile.ZIP_STORED)
    with pytest.raises(GraphError, match="larger than the limit"):
        Archive(data, "file").read("config.json")


def test_sizes_in_the_header_are_not_trusted() -> None:
    data = bytearray(zipped({"config.json": b" " * (8 << 20)}))
    # The uncompressed size, in the local header and in the directory at the end.
    directory = data.index(b"PK\x01\x02")
    for at in (22, directory + 24):
        struct.pack_into("<I", data, at, 10)
    with pytest.raises(GraphError):
        read_bytes(bytes(data), "model.keras")


def test_too_many_members(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_MEMBERS", 3)
    with pytest.raises(GraphError, match="holds 4 files, more than the limit"):
        Archive(zipped({str(at): b"" for at in range(4)}), "file")


def test_encrypted_and_damaged_members() -> None:
    plain = zipped({"config.json": b'{"a": 1}' * 100})
    encrypted = bytearray(plain)
    encrypted[6] |= 1
    encrypted[encrypted.index(b"PK\x01\x02") + 8] |= 1
    damaged = bytearray(plain)
    damaged[45] ^= 0xFF
    for data in (encrypted, damaged):
        with pytest.raises(GraphError, match="cannot be read"):
            Archive(bytes(data), "file").read("config.json")
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("config.json", b"{}" * 1000)
    packed = bytearray(file.getvalue())
    packed[60:80] = b"\xff" * 20
    with pytest.raises(GraphError):
        Archive(bytes(packed), "file").read("config.json")
