"""Measures inside a Python process: the scan, a wide window, one tag of many runs. Prints JSON."""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.viewers import CARD_PIXELS, PIXELS
from seamark import _core
from seamark.format.types import Tag
from seamark.store import LogRoot, Store

CHUNK_BYTES = 4 << 20
# The page's request for a card with more runs than can be distinguished.
CARD_COLUMNS = ("step_last", "smoothed", "count")
CARD_SMOOTHING = 0.6


def best_secs(call: Callable[[], object], repeat: int) -> float:
    """The fastest of `repeat` calls, after a warm-up call."""
    call()
    best = float("inf")
    for _ in range(repeat):
        started = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - started)
    return best


def scan_bytes_per_sec(path: Path, repeat: int) -> float:
    """Bytes of an event file in memory → stripes, on one thread with checksums on."""
    data = path.read_bytes()

    scanner = _core.Scanner()  # its memory is reused, as that of a reader of files is

    def scan() -> None:
        view = memoryview(data)
        done = 0
        while done < len(view):
            result = scanner.scan(view[done : done + CHUNK_BYTES], done)
            done += result.consumed
            if result.status == _core.SCAN_FULL:
                scanner.take_stripe()
        scanner.take_stripe()

    return len(data) / best_secs(scan, repeat)


@contextmanager
def loaded_store(logdir: Path) -> Iterator[Store]:
    """A store that has written its index, so that writing is not measured."""
    with tempfile.TemporaryDirectory() as index_dir:
        with Store([LogRoot("", logdir)], index_dir=Path(index_dir), follow=False) as first:
            first.wait_loaded()
        with Store([LogRoot("", logdir)], index_dir=Path(index_dir), follow=False) as store:
            store.wait_loaded()
            yield store


def window_secs(logdir: Path, tag: Tag, repeat: int) -> float:
    """One series at the width of a wide screen."""
    with loaded_store(logdir) as store:
        run = store.runs()[0].name
        return best_secs(lambda: store.scalars(run, tag, max_points=PIXELS), repeat)


def one_tag_secs(logdir: Path, tag: Tag, repeat: int) -> float:
    """One tag of all runs on a card."""
    with loaded_store(logdir) as store:
        runs = [run.name for run in store.runs()]
        return best_secs(
            lambda: store.scalars(runs, tag, max_points=CARD_PIXELS, smoothing=CARD_SMOOTHING, columns=CARD_COLUMNS),
            repeat,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["scan", "window", "one_tag"])
    parser.add_argument("path", type=Path)
    parser.add_argument("--tag", type=Tag, default=Tag(""))
    parser.add_argument("--repeat", type=int, default=7)
    args = parser.parse_args()
    if args.what == "scan":
        figure = scan_bytes_per_sec(args.path, args.repeat)
    elif args.what == "window":
        figure = window_secs(args.path, args.tag, args.repeat)
    else:
        figure = one_tag_secs(args.path, args.tag, args.repeat)
    print(json.dumps(figure))


if __name__ == "__main__":
    main()
