"""Compares Seamark's responses on TensorBoard's routes with those of TensorBoard for the same log directory.

Every scalar, image and histogram series is requested, unsampled: steps, wall times, values, the bytes of each image.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Protocol

import httpx2
from starlette.testclient import TestClient

from seamark.serve.app import Settings, create_app
from seamark.store import LogRoot, Store

DEADLINE_SECS = 600.0
POLL_SECS = 0.05
ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+")
EVERYTHING = 10**9
KINDS = ("scalars", "images", "histograms")
Series = tuple[str, str, str]  # kind, run, tag


class Client(Protocol):
    """The common interface of httpx's client and Starlette's test client."""

    def get(self, url: str, *, params: Any = ...) -> Any: ...


@contextlib.contextmanager
def tensorboard_on(logdir: Path, scratch: Path, *flags: str) -> Iterator[str]:
    """Starts TensorBoard with its Python backend on a free port; yields its address."""
    log = scratch / "tensorboard.log"
    command = [sys.executable, "-m", "tensorboard.main", "--logdir", str(logdir), "--host", "127.0.0.1", "--port", "0"]
    with log.open("wb") as out:
        process = subprocess.Popen([*command, "--load_fast=false", *flags], stdout=out, stderr=out)
    try:
        wait_until(lambda: process.poll() is not None or ADDRESS.search(log.read_text()), "TensorBoard did not start")
        found = ADDRESS.search(log.read_text())
        assert found is not None, log.read_text()
        yield found[0]
    finally:
        process.kill()
        process.wait()


def wait_until(is_so: Callable[[], Any], complaint: str, *, deadline_secs: float = DEADLINE_SECS) -> None:
    deadline = time.monotonic() + deadline_secs
    while not is_so():
        assert time.monotonic() < deadline, complaint
        time.sleep(POLL_SECS)


def compare(theirs: Client, ours: Client) -> dict[Series, str]:
    """A sentence for each series that differs."""
    found: dict[Series, str] = {}
    for kind in KINDS:
        tags = [tags_of(client, kind) for client in (theirs, ours)]
        for run, tag in sorted(tags[0] | tags[1]):
            if (run, tag) not in tags[1] or (run, tag) not in tags[0]:
                found[kind, run, tag] = f"listed only by {'TensorBoard' if (run, tag) in tags[0] else 'Seamark'}"
                continue
            difference = difference_of(*(points_of(client, kind, run, tag) for client in (theirs, ours)))
            if difference:
                found[kind, run, tag] = difference
    return found


def tags_of(client: Client, kind: str) -> set[tuple[str, str]]:
    listed = client.get(f"/data/plugin/{kind}/tags").json()
    return {(run, tag) for run, by_tag in listed.items() for tag in by_tag}


def points_of(client: Client, kind: str, run: str, tag: str) -> list[Any]:
    """The points of a series, each with its step, wall time and content."""
    parameters = {"run": run, "tag": tag}
    if kind == "scalars":
        return [[step, wall, value] for wall, step, value in answer(client, "scalars/scalars", **parameters)]
    if kind == "images":
        return image_points(client, parameters)
    requests = json.dumps([{"plugin": "histograms", **parameters}])
    (found,) = answer(client, "timeseries/timeSeries", requests=requests)
    return [[point["step"], point["wallTime"], point["bins"]] for point in found["runToSeries"].get(run, [])]


def image_points(client: Client, parameters: dict[str, str]) -> list[Any]:
    samples = answer(client, "images/tags")[parameters["run"]][parameters["tag"]]["samples"]
    points = []
    for sample in range(samples):
        for entry in answer(client, "images/images", **parameters, sample=sample):
            image = client.get(f"/data/plugin/images/individualImage?{entry['query']}")
            assert image.status_code == 200, image.text
            points.append([entry["step"], entry["wall_time"], (sample, image.headers["content-type"], image.content)])
    return points


def answer(client: Client, path: str, **params: Any) -> Any:
    got = client.get(f"/data/plugin/{path}", params=params)
    assert got.status_code == 200, f"{path} {params}: {got.status_code} {got.text[:200]}"
    return got.json()


def difference_of(theirs: list[Any], ours: list[Any]) -> str:
    steps = [[point[0] for point in points] for points in (theirs, ours)]
    if steps[0] != steps[1]:
        is_back = any(later < earlier for earlier, later in zip(steps[0], steps[0][1:], strict=False))
        missing = sum((Counter(steps[0]) - Counter(steps[1])).values())
        note = ", TensorBoard's steps go back" if is_back else ""
        return f"{len(steps[0])} points there, {len(steps[1])} here, {missing} of theirs missing{note}"
    for theirs_point, ours_point in zip(theirs, ours, strict=True):
        if theirs_point != ours_point:
            shown = (str(point[1:])[:150] for point in (theirs_point, ours_point))
            return "at step {}: {} there, {} here".format(theirs_point[0], *shown)
    return ""


@contextlib.contextmanager
def both_on(logdir: Path) -> Iterator[tuple[Client, Client]]:
    """TensorBoard loads everything before the first response; both send every point."""
    samples = dict.fromkeys(KINDS, EVERYTHING)
    flag = ",".join(f"{kind}={count}" for kind, count in samples.items())
    roots = [LogRoot("", logdir)]
    with (
        tempfile.TemporaryDirectory() as scratch,
        tensorboard_on(
            logdir, Path(scratch), f"--samples_per_plugin={flag}", "--reload_interval=0", "--reload_task=blocking"
        ) as address,
        Store(roots, index_dir=None, follow=False) as store,
        httpx2.Client(base_url=address, timeout=DEADLINE_SECS) as theirs,
        TestClient(
            create_app(store, roots=roots, settings=Settings(samples_per_plugin=samples)), base_url="http://localhost"
        ) as ours,
    ):
        assert store.wait_loaded(DEADLINE_SECS)
        yield theirs, ours


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("logdir", type=Path, help="folder with runs")
    arguments = parser.parse_args()
    if not arguments.logdir.is_dir():
        print(f"there is no such folder: '{arguments.logdir}'", file=sys.stderr)
        return 2
    with both_on(arguments.logdir) as (theirs, ours):
        found = compare(theirs, ours)
        total = sum(len(tags_of(theirs, kind)) for kind in KINDS)
    for (kind, run, tag), difference in found.items():
        print(f"{kind} '{tag}' of '{run}': {difference}")
    print(f"{total} series, {len(found)} differ")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
