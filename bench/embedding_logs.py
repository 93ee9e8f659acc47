"""Writes log directories with embeddings: vectors around some centres, with labels."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from seamark.write.append.event_file import EventFile
from seamark.write.encode.embedding.content import of_log_embedding
from seamark.write.writer.summary_writer import SummaryWriter

RUN, TAG, NAME, FILE_NAME = "bench", "written", "vectors", "vectors.npy"
DIMENSIONS = 128
CENTRES = 40
BLOCK_ROWS = 100_000


def write_embedding(logdir: Path, rows: int) -> None:
    """A run with the files that both viewers read: raw float32, and three columns of metadata."""
    random = np.random.default_rng(rows)
    centres = random.normal(size=(CENTRES, DIMENSIONS)).astype(np.float32) * 2
    groups = random.integers(0, CENTRES, rows)
    metadata = {"label": [f"point {row}" for row in range(rows)], "group": [f"group {group}" for group in groups]}
    content = of_log_embedding(_around(random, centres[groups]), metadata | {"value": random.normal(size=rows)}, None)
    with SummaryWriter(logdir / RUN) as writer:
        writer.embedding_files.add(writer.sink.recorder, NAME, content, step=0)
        writer.add_scalar(TAG, 1.0, 0)


def write_npy(logdir: Path, rows: int) -> None:
    """A run with one large file, written block by block."""
    with EventFile(logdir / RUN) as file:
        file.add_scalar(TAG, 1.0, 0)
    random = np.random.default_rng(rows)
    centres = random.normal(size=(CENTRES, DIMENSIONS)).astype(np.float32) * 2
    matrix = np.lib.format.open_memmap(logdir / RUN / FILE_NAME, mode="w+", dtype=np.float32, shape=(rows, DIMENSIONS))
    for start in range(0, rows, BLOCK_ROWS):
        block = matrix[start : start + BLOCK_ROWS]
        block[:] = _around(random, centres[random.integers(0, CENTRES, len(block))])
    matrix.flush()


def _around(random: np.random.Generator, centres: NDArray[np.float32]) -> NDArray[np.float32]:
    return centres + random.standard_normal(centres.shape, dtype=np.float32)
