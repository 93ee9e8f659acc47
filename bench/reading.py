"""Reads all scalars of a log directory with one library, and prints the seconds as JSON.

A process of its own for each figure: the time holds the library's import.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path


def by_seamark(logdir: Path, index_dir: Path | None) -> int:
    import seamark

    with seamark.open(logdir, index_dir=index_dir) as runs:
        return int(runs.scalars().rows)


def one_tag_by_seamark(logdir: Path, index_dir: Path | None) -> int:
    import seamark

    with seamark.open(logdir, index_dir=index_dir) as runs:
        return int(runs.scalars(runs.tags()[0]).rows)


def by_event_accumulator(logdir: Path, index_dir: Path | None) -> int:
    """With EventAccumulator keeping every point, converted to the same columns."""
    import numpy as np
    from tensorboard.backend.event_processing.event_accumulator import (  # type: ignore[import-untyped]
        SCALARS,
        EventAccumulator,
    )

    rows = 0
    columns = []
    for folder in sorted({path.parent for path in logdir.rglob("*tfevents*")}):
        read = EventAccumulator(str(folder), size_guidance={SCALARS: 0}).Reload()
        for tag in read.Tags()[SCALARS]:
            events = read.Scalars(tag)
            columns.append(
                (
                    np.fromiter((event.step for event in events), np.int64, len(events)),
                    np.fromiter((event.wall_time for event in events), np.float64, len(events)),
                    np.fromiter((event.value for event in events), np.float64, len(events)),
                )
            )
            rows += len(events)
    return rows


def by_tbparse(logdir: Path, index_dir: Path | None) -> int:
    from tbparse import SummaryReader  # type: ignore

    return len(SummaryReader(str(logdir), extra_columns={"wall_time", "dir_name"}, event_types={"scalars"}).scalars)


READERS: dict[str, Callable[[Path, Path | None], int]] = {
    "seamark": by_seamark,
    "seamark_tag": one_tag_by_seamark,
    "event_accumulator": by_event_accumulator,
    "tbparse": by_tbparse,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("reader", choices=READERS)
    parser.add_argument("logdir", type=Path)
    parser.add_argument("--index_dir", type=Path)
    args = parser.parse_args()
    started = time.perf_counter()
    rows = READERS[args.reader](args.logdir, args.index_dir)
    print(json.dumps({"secs": time.perf_counter() - started, "rows": rows}))


if __name__ == "__main__":
    main()
