"""Makes web/src/data/site/series/windows.fixture.json: windows of the server, which the page has to compute as well.

`python tools/site_windows.py` writes it; src/seamark/publish/test_series_points.py checks that it is up to date.
"""

from __future__ import annotations

import base64
import json
import math
import random
import tempfile
import zlib
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from seamark import _core
from seamark.format.types import RunName, Tag
from seamark.publish.series_levels import PieceSizes, pieces
from seamark.publish.series_points import encode_points
from seamark.serve.api.series import SeriesRequest, series_block
from seamark.store import MarkedPoints, Store, parse_logdir
from seamark.store.test_support import START_WALL, append, file_start, session_start

FIXTURE = Path(__file__).parent.parent / "web" / "src" / "data" / "site" / "series" / "windows.fixture.json"
TAG = Tag("loss")
WINDOWS = 100
SMOOTHINGS: tuple[dict[str, object], ...] = (
    {},
    {"smoothing": 0.6},
    {"smoothing": 0.99},
    {"smoothing": 0.02, "smoothing_mode": "adaptive"},
    {"smoothing": 0.1, "smoothing_mode": "adaptive", "visible": 150.0},
)
# By axis: somewhat more than the points cover.
SPANS = {"step": (-20.0, 460.0), "relative": (-10.0, 900.0), "wall": (START_WALL - 10, START_WALL + 900)}

Point = tuple[int, float, float]
"""Step, wall time after the start, value."""


def runs(random_: random.Random) -> dict[str, list[list[Point]]]:
    """The files of each run; a restart lies between two."""

    def noisy(steps: range, *, walls: float = 1.0) -> list[Point]:
        return [(step, step * walls + random_.random(), random_.gauss(0, 1)) for step in steps]

    shuffled = noisy(range(0, 200, 2))
    random_.shuffle(shuffled)
    words = (math.nan, math.inf, -math.inf)
    odd = [(step, wall, random_.choice([value, *words])) for step, wall, value in noisy(range(150))]
    return {
        "plain": [noisy(range(400))],
        "short": [noisy(range(7))],
        "single": [[(3, 5.0, 0.25)]],
        "constant": [[(step, float(step), 0.5) for step in range(120)]],
        "out-of-order": [shuffled],
        "non-finite": [odd],
        "huge": [[(step, float(step), 3e38) for step in range(90)]],
        "equal-steps": [[(step // 5, step * 2.0, random_.random()) for step in range(300)]],
        "clock-back": [[(step, 500.0 - step, random_.random()) for step in range(80)]],
        "restarted": [noisy(range(250)), noisy(range(100, 300)), noisy(range(180, 260))],
    }


def write_runs(logdir: Path, described: dict[str, list[list[Point]]]) -> None:
    for run, parts in described.items():
        for at, part in enumerate(parts):
            points = [_core.encode_scalar(TAG.encode(), value, step, START_WALL + wall) for step, wall, value in part]
            start = session_start(part[0][0]) if at else file_start()
            append(logdir / run / f"tfevents.{at + 1}", b"".join([start, *points]))


def window_request(random_: random.Random, names: list[str]) -> dict[str, Any]:
    axis = random_.choice(["step", "relative", "wall"])
    low, high = SPANS[axis]
    chosen = random_.sample(names, random_.randint(1, 4))
    if random_.random() < 0.5 and "restarted" not in chosen:
        chosen.append("restarted")
    request: dict[str, Any] = {
        "tag": TAG,
        "run": chosen,
        "axis": axis,
        "width": random_.choice([0, 1, 7, 20, 20, 40]),
        **random_.choice(SMOOTHINGS),
        "attempts": random_.choice(["latest", "all", "marked"]),
    }
    if random_.random() < 0.6:
        request["start"], request["stop"] = sorted(random_.uniform(low, high) for _ in range(2))
        request["edges"] = random_.random() < 0.7
        # Without a limit only a part, so that the fixture stays small.
    elif request["width"] == 0:
        request["width"] = 30
    if random_.random() < 0.3:
        request["columns"] = ["step_last", "mean", "min", "max", "count", "attempt", "replaced", "began", "weight"]
    return request


def encoded(block: bytes) -> str:
    return base64.b64encode(zlib.compress(block, 9)).decode()


def round_trips() -> list[dict[str, Any]]:
    """Blocks of points, and what they hold as JSON has it."""
    cases = {
        "large steps": ([0, 2**52, -5, 2**33 + 1], [0.0, 1e-300, -0.0, 1e300]),
        "doubles": ([1, 3, 6, 10], [0.1, 1 / 3, math.pi, -1e-9]),
        "none": ([], []),
        "one": ([17], [2.5]),
    }
    found = []
    for name, (steps, values) in cases.items():
        walls = [START_WALL + 0.123456 * at for at in range(len(steps))]
        rows = len(steps)
        points = MarkedPoints(
            np.array(steps, np.int64),
            np.array(walls),
            np.array(values, float),
            np.array([0] * (rows // 2) + [1] * (rows - rows // 2), np.uint32),
            np.array([True] * (rows // 2) + [False] * (rows - rows // 2)),
        )
        found.append(
            {"name": name, "block": encoded(encode_points(points)), "steps": steps, "walls": walls, "values": values}
        )
    return found


def long_series(random_: random.Random) -> dict[str, MarkedPoints]:
    """In pieces of a few rows, so that a short series has several levels."""
    rows = 3000
    walls = START_WALL + np.cumsum([random_.randint(1, 4) / 4 for _ in range(rows)])
    rounded = [round(math.sin(row / 200) + random_.gauss(0, 0.2), 2) for row in range(rows)]
    values = np.array(rounded, np.float32).astype(np.float64)
    values[1234] = 9.0  # a spike
    words = values.copy()
    words[100:140], words[2000] = math.nan, math.inf
    steps = np.arange(rows)
    uneven = np.cumsum([random_.randint(1, 3) for _ in range(rows)])
    whole, none = np.zeros(rows, np.uint32), np.zeros(rows, bool)
    # The last thousand rows of the first attempt were replaced by the second one.
    restarted = np.concatenate([steps[:2000], steps[1000:2000]])
    attempts = (steps >= 2000).astype(np.uint32)
    replaced = (steps >= 1000) & (steps < 2000)
    return {
        "even": MarkedPoints(steps * 10, walls, values, whole, none),
        "uneven": MarkedPoints(uneven, walls, words, whole, none),
        "restarted": MarkedPoints(restarted, walls, values, attempts, replaced),
        "late": MarkedPoints(steps[::-1].copy(), walls, values, whole, none),
    }


def level_fixture(random_: random.Random) -> dict[str, Any]:
    sizes = PieceSizes(block_rows=128, finest_rows=4, max_buckets=64)
    return {
        name: {piece: encoded(block) for piece, block in pieces(points, sizes)}
        for name, points in long_series(random_).items()
    }


def make_fixture() -> dict[str, Any]:
    random_ = random.Random(7)
    described = runs(random_)
    with tempfile.TemporaryDirectory() as folder:
        write_runs(Path(folder), described)
        with Store(parse_logdir(folder), index_dir=None, follow=False) as store:
            store.wait_loaded()
            series = {name: encoded(encode_points(store.marked_points(RunName(name), TAG))) for name in described}
            windows = []
            for _ in range(WINDOWS):
                request = window_request(random_, list(described))
                block = series_block(store, msgspec.convert(request, SeriesRequest))
                windows.append({"request": request, "block": encoded(block)})
    levels = level_fixture(random.Random(8))
    return {"series": series, "windows": windows, "roundTrips": round_trips(), "levels": levels}


if __name__ == "__main__":
    FIXTURE.write_text(json.dumps(make_fixture(), indent=1) + "\n", encoding="utf-8")
