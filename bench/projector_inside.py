"""Measures the Projector's computations in a process of their own, with the settings of the server.

python -m bench.projector_inside pca 100000
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable

from seamark.cli import tune_process

tune_process()  # before NumPy is loaded, as in the server

import numpy as np  # noqa: E402

from bench.embedding_logs import DIMENSIONS  # noqa: E402
from seamark.embeddings.form import Vectors  # noqa: E402
from seamark.embeddings.methods.linear import fit_pca  # noqa: E402
from seamark.embeddings.neighbours import nearest  # noqa: E402
from seamark.embeddings.prepare import Preparation, Prepared  # noqa: E402

NEIGHBOURS = 10


def best_secs(compute: Callable[[], object], repeat: int) -> float:
    found = []
    for _ in range(repeat):
        begun = time.perf_counter()
        compute()
        found.append(time.perf_counter() - begun)
    return min(found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["pca", "neighbours"])
    parser.add_argument("rows", type=int)
    parser.add_argument("--repeat", type=int, default=5)
    args = parser.parse_args()
    values = np.random.default_rng(0).standard_normal((args.rows, DIMENSIONS), dtype=np.float32)
    vectors = Vectors(values, "float32", None, "bench")
    if args.what == "pca":
        # A new object each time: the mean and the lengths are computed, too.
        secs = best_secs(lambda: fit_pca(Prepared(vectors, Preparation())), args.repeat)
    else:
        prepared = Prepared(vectors, Preparation(center=False))
        nearest(prepared, 1, NEIGHBOURS, "cosine")  # the lengths of all rows are computed once
        secs = best_secs(lambda: nearest(prepared, 0, NEIGHBOURS, "cosine"), args.repeat)
    print(json.dumps(secs))


if __name__ == "__main__":
    main()
