"""A common interface of the two viewers: how to start each, and how to request the same data."""

from __future__ import annotations

import json
import shutil
import sysconfig
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlencode

from bench.client import Client
from seamark.plugin.columns import decode_columns

PIXELS = 2000
CARD_PIXELS = 400


def script(name: str) -> str:
    """A command installed beside this Python, or on PATH."""
    beside = Path(sysconfig.get_path("scripts")) / name
    return str(beside) if beside.exists() else shutil.which(name) or str(beside)


class Viewer(ABC):
    """A program that serves a log directory over HTTP."""

    name: str
    shown_command: str

    @abstractmethod
    def command(self, logdir: Path, port: int, index_dir: Path) -> list[str]: ...

    @abstractmethod
    def tags(self, client: Client) -> dict[str, set[str]] | None:
        """Scalar tags by run; None while the server does not answer."""

    @abstractmethod
    def last_step(self, client: Client, run: str, tag: str) -> int | None:
        """The newest step of a series in a response; None while there is none."""

    @abstractmethod
    def one_series(self, client: Client, run: str, tag: str) -> bytes | None:
        """The page's request for one series on a wide screen."""

    @abstractmethod
    def one_tag(self, client: Client, runs: Sequence[str], tag: str) -> bytes | None:
        """The page's request for one tag of many runs on a card."""


class TensorBoard(Viewer):
    """TensorBoard with its native data server, which keeps 1,000 points of a series and no index."""

    name = "TensorBoard"
    shown_command = "tensorboard --load_fast=true --logdir D"

    def command(self, logdir: Path, port: int, index_dir: Path) -> list[str]:
        return [script("tensorboard"), "--load_fast=true", f"--logdir={logdir}", "--host=127.0.0.1", f"--port={port}"]

    def tags(self, client: Client) -> dict[str, set[str]] | None:
        body = client.get("/data/plugin/scalars/tags")
        return None if body is None else {run: set(tags) for run, tags in json.loads(body).items()}

    def last_step(self, client: Client, run: str, tag: str) -> int | None:
        body = self.one_series(client, run, tag)
        points = json.loads(body) if body else []
        return int(points[-1][1]) if points else None

    def one_series(self, client: Client, run: str, tag: str) -> bytes | None:
        return client.get("/data/plugin/scalars/scalars?" + urlencode({"run": run, "tag": tag}))

    def one_tag(self, client: Client, runs: Sequence[str], tag: str) -> bytes | None:
        form = urlencode([("tag", tag), *(("runs", run) for run in runs)]).encode()
        return client.post("/data/plugin/scalars/scalars_multirun", form, "application/x-www-form-urlencoded")


class Seamark(Viewer):
    """Seamark; a window contains the extremes of all points."""

    name = "Seamark"
    shown_command = "seamark serve --logdir D --index_dir X"

    def command(self, logdir: Path, port: int, index_dir: Path) -> list[str]:
        where = [f"--logdir={logdir}", f"--index_dir={index_dir}"]
        return [script("seamark"), "serve", *where, "--host=127.0.0.1", f"--port={port}", "--state_dir=none"]

    def tags(self, client: Client) -> dict[str, set[str]] | None:
        body = client.get("/api/tags?kind=scalars")
        if body is None:
            return None
        table = json.loads(body)
        found: dict[str, set[str]] = {run: set() for run in table["runs"]}
        for entry in table["kinds"].get("scalars", []):
            for number in entry["runs"]:
                found[table["runs"][number]].add(entry["tag"])
        return found

    def last_step(self, client: Client, run: str, tag: str) -> int | None:
        # As many as the 1,000 points in TensorBoard's response.
        body = client.get("/api/series?" + urlencode({"run": run, "tag": tag, "width": 1000}))
        if body is None:
            return None
        steps = decode_columns(body)[1]["step_last"]
        return int(steps[-1]) if steps.size else None

    def one_series(self, client: Client, run: str, tag: str) -> bytes | None:
        return client.get("/api/series?" + urlencode({"run": run, "tag": tag, "width": PIXELS}))

    def one_tag(self, client: Client, runs: Sequence[str], tag: str) -> bytes | None:
        query = json.dumps({"tag": tag, "run": list(runs), "width": CARD_PIXELS}).encode()
        return client.post("/api/series", query, "application/json")
