"""Writes a set of examples as CSV and Parquet, and a model that predicts them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

from seamark.write.append.event_file import EventFile

RUN, CSV, PARQUET, MODEL, OWN_TIMES = "bench", "table.examples.csv", "copy.examples.parquet", "model.py", "own_secs.txt"
FEATURES, CATEGORIES, NAMES = 50, 10, 6
SLICE_BY = ("c0", "c1", "x0")
# A network of two layers, slow enough to be compared with what is around it. It writes down its own time.
SOURCE = """
import time
from pathlib import Path

import numpy as np

random = np.random.default_rng(0)
FIRST, SECOND = random.normal(size=(40, 1024)) / 8, random.normal(size=(1024, 1024)) / 32
LAST = random.normal(size=1024) / 16
TIMES = Path(__file__).with_name("own_secs.txt")


def predict(columns):
    began = time.perf_counter()
    matrix = np.stack([columns[f"x{i}"] for i in range(40)], axis=1)
    hidden = np.tanh(np.tanh(matrix @ FIRST) @ SECOND)
    scores = 1 / (1 + np.exp(-hidden @ LAST))
    with TIMES.open("a") as file:
        file.write(f"{time.perf_counter() - began}\\n")
    return scores


predict.seamark_input = "columns"
"""


def write_examples(logdir: Path, rows: int) -> None:
    """A run with 40 numbers, ten categories and a truth, whose errors are worst where c0 = n1 and c1 = n2."""
    with EventFile(logdir / RUN) as file:
        file.add_scalar("loss", 1.0, 0)
    random = np.random.default_rng(rows)
    table: dict[str, object] = {f"x{i}": random.normal(size=rows).round(6) for i in range(FEATURES - CATEGORIES)}
    codes = random.integers(0, NAMES, (CATEGORIES, rows))
    table |= {f"c{i}": np.char.add("n", codes[i].astype(str)) for i in range(CATEGORIES)}
    scores = random.random(rows)
    is_flipped = (codes[0] == 1) & (codes[1] == 2) & (random.random(rows) < 0.4)
    table["truth"] = np.where((random.random(rows) < scores) ^ is_flipped, "yes", "no")
    table["score"] = scores.round(6)
    arrow = pa.table(table)
    pa.csv.write_csv(arrow, logdir / RUN / CSV)
    pa.parquet.write_table(arrow, logdir / RUN / PARQUET)
    (logdir / MODEL).write_text(SOURCE, encoding="utf-8")
