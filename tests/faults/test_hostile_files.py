"""Small files of strangers cost little memory and time, whatever they claim or unpack to."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from tests.faults import hostile_files
from tests.faults.test_hostile_memory import ONE_THREAD

MAX_BYTES = 300_000_000
MAX_SECS = 5.0
TOO_MUCH = "takes too much to read: got more than"
# What each file is told.
SENTENCES = {
    "bz2.npz": "got bzip2, want none or deflate",
    "row.npz": "too many numbers in a row: got 268,435,456",
    "rows.npz": TOO_MUCH,
    "sparse.npy": TOO_MUCH,
    "half.npy": TOO_MUCH,
    "sparse.safetensors": TOO_MUCH,
    "boolean.npy": "the array has the shape (True, 4)",
    "deep.safetensors": "this is not a safetensors file",
    "sparse.csv": "no embedding",
    "empty.csv": "",
    "digits.csv": "no embedding",
    "csv.npy": "the metadata cannot be read: line 3 is too long",
    "tsv.npy": "the metadata cannot be read: line 3 is too long",
    "commas.npy": "too many columns: got 100,000, want at most 10,000",
    "tabs.npy": "too many columns: got 100,000, want at most 10,000",
    "short.npy": TOO_MUCH,
    "row.parquet": TOO_MUCH,
    "rows.parquet": TOO_MUCH,
    "words.parquet": TOO_MUCH,
    "flat.parquet": TOO_MUCH,
    "names.parquet": "have the name of another",
    "list.arrow": TOO_MUCH,
    "zeros.feather": TOO_MUCH,
    "words.feather": TOO_MUCH,
    "long": "the checkpoint is left out",
    "shared": "the checkpoint is left out",
    "handles": "the checkpoint is left out",
    "bz2.keras": "got bzip2, want none or deflate",
    "lzma.keras": "got lzma, want none or deflate",
    "dense.keras": TOO_MUCH,
    "layers.keras": TOO_MUCH,
    "nodes.pb": "nodes, which is the limit",
    "edges.pb": "",
    "nodes.onnx": TOO_MUCH,
    "zeros.onnx": "a field has the number 0",
    "newlines.onnx": TOO_MUCH,
}


# The same files as tables, for What-If.
TABLE_SENTENCES = {
    "bz2.npz": "got bzip2, want none or deflate",
    "row.npz": TOO_MUCH,
    "rows.npz": TOO_MUCH,
    "sparse.npy": TOO_MUCH,
    "sparse.csv": TOO_MUCH,
    "csv.metadata.csv": TOO_MUCH,
    "empty.csv": "too many columns",
    "digits.csv": "",
    "row.parquet": TOO_MUCH,
    "rows.parquet": TOO_MUCH,
    "flat.parquet": TOO_MUCH,
    "words.parquet": "",
    "names.parquet": "too many columns",
    "list.arrow": TOO_MUCH,
    "zeros.feather": TOO_MUCH,
    "words.feather": "",
}
CASES = [(name, False) for name in SENTENCES] + [(name, True) for name in TABLE_SENTENCES]


class Cost(NamedTuple):
    said: str
    bytes: int
    secs: float  # of processor time


@pytest.fixture(scope="module")
def costs(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, bool], Cost]:
    """Of every file, opened one after the other by a process that may take 2 GB."""
    folder, harmless = tmp_path_factory.mktemp("hostile"), tmp_path_factory.mktemp("harmless")
    parquet = pytest.importorskip("pyarrow.parquet")
    feather = pytest.importorskip("pyarrow.feather")
    hostile_files.write_all(folder)
    table = pytest.importorskip("pyarrow").table({"v": [[1.0, 2.0]] * 3, "word": ["a", "b", "c"]})
    parquet.write_table(table, harmless / "a.parquet")
    feather.write_feather(table, harmless / "a.feather", compression="zstd")
    np.save(harmless / "a.npy", np.zeros((3, 2), np.float32))
    (harmless / "a.pb").write_bytes(b"\x0a\x03\x0a\x01x")
    (harmless / "a.json").write_text('{"class_name":"Functional","config":{"layers":[{"class_name":"Dense"}]}}')
    task = {
        "limit_bytes": 2_000_000_000,
        "harmless": [str(path) for path in harmless.iterdir()],
        "table_suffixes": [".parquet", ".feather", ".npy"],
        "paths": [(str(folder / name), is_table) for name, is_table in CASES],
    }
    ended = subprocess.run(
        [sys.executable, str(Path(hostile_files.__file__))],
        input=json.dumps(task),
        text=True,
        capture_output=True,
        timeout=110,
        check=False,
        env=ONE_THREAD,
    )
    assert ended.returncode == 0, ended.stderr[-2000:]
    lines = map(json.loads, ended.stdout.splitlines())
    return {(line.pop("name"), line.pop("is_table")): Cost(**line) for line in lines}


@pytest.mark.parametrize(("name", "is_table"), CASES)
def test_a_small_file_costs_little(costs: dict[tuple[str, bool], Cost], name: str, is_table: bool) -> None:
    cost = costs[name, is_table]
    assert (TABLE_SENTENCES if is_table else SENTENCES)[name] in cost.said
    assert cost.bytes < MAX_BYTES, cost
    assert cost.secs < MAX_SECS, cost
