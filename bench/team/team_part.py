"""Measures a team server: uploads of many trainers while many pages watch, and its rate beside MLflow's and Aim's."""

from __future__ import annotations

import json
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

import seamark
from bench.client import free_port
from bench.process import ServerProcess
from bench.report import Figure
from bench.scenarios import Bench
from bench.team import mlflow_client, trainers, watchers
from seamark.team.settings import TeamFolder
from tools.team_folder import PROJECT, Tokens, create_team

METRICS = 50
UPLOAD_P99_SECS, QUERY_P99_SECS = 0.5, 0.3
RATIO = 20
RATE_CLIENTS = 16
MLFLOW_POINTS = 1000  # the most that its server takes in a request
LARGEST_STEPS = 400  # of 50 metrics: about 1 MB
STARTUP_SECS = 180.0


@dataclass(frozen=True)
class Sizes:
    trainers: int
    pages: int
    secs: float
    rate_secs: float


FULL = Sizes(trainers=200, pages=100, secs=60.0, rate_secs=20.0)
QUICK = Sizes(trainers=10, pages=4, secs=5.0, rate_secs=1.0)


@dataclass(frozen=True)
class Serving:
    url: str
    process: ServerProcess


class TeamPart:
    def __init__(self, bench: Bench, sizes: Sizes, peers: Path, add: Callable[[Figure], None]) -> None:
        self._bench, self._sizes, self._peers, self._add = bench, sizes, peers, add
        self._tags = [f"group/metric_{number}" for number in range(METRICS)]

    def run(self) -> None:
        self._watched()
        ours = self._our_rates()
        theirs = self._mlflow_rates()
        names = ("in requests of 50", "in the largest requests")
        for what, our, their in zip(names, ours, theirs, strict=True):
            our_secs, their_secs = secs_per_million(our), None if their is None else secs_per_million(their)
            wanted = None if their_secs is None else their_secs / our_secs >= RATIO
            self._add(Figure(f"a million points {what}", "s", our_secs, their_secs, f"≥ {RATIO}x", wanted))
            refused = None if their is None else len(their["errors"])
            self._add(Figure(f"requests that failed, {what}", "count", len(our["errors"]), refused))
        self._add_aim(secs_per_million(ours[0]))

    def _add_aim(self, our_secs: float) -> None:
        rate = self._aim_rate()
        if rate is not None:
            their_secs = secs_per_million(rate)
            is_met = their_secs / our_secs >= RATIO
            what = "a million points in requests of 50 (peer: Aim, in calls of one)"
            self._add(Figure(what, "s", our_secs, their_secs, f"≥ {RATIO}x", is_met))

    def _watched(self) -> None:
        sizes, folder = self._sizes, self._bench.fresh_dir("team-") / "team"
        tokens = create_team(folder)
        with self._serving(folder) as server:
            common: dict[str, Any] = {
                "server": server.url,
                "project": PROJECT,
                "tags": self._tags,
            }
            task = trainers.Task(
                tokens=tokens.writers, trainers=sizes.trainers, secs=sizes.secs, points_secs=1.0, **common
            )
            training = start(trainers, task)
            # The first pages come when every run has begun.
            time.sleep(min(3.0, sizes.secs / 4))
            watching = start(
                watchers, watchers.Task(token=tokens.viewer, pages=sizes.pages, secs=sizes.secs * 0.8, **common)
            )
            pages, trained = finish(watching), finish(training)
            peak, busy_secs = server.process.peak_bytes(), server.process.processor_secs()
        if pages["errors"] or trained["errors"]:
            raise RuntimeError(
                f"{len(pages['errors']) + len(trained['errors'])} errors: {[*pages['errors'], *trained['errors']][0]}"
            )
        self._add(Figure(f"processor time of the server in {sizes.secs:.0f} s", "s", busy_secs))
        self._add_watched(pages, trained, peak, self._wrong_points(folder, tokens, trained["steps"]))

    def _add_watched(self, pages: dict[str, Any], trained: dict[str, Any], peak: int, wrong: int) -> None:
        sizes = self._sizes
        upload = f"an upload while {sizes.pages} pages watch {sizes.trainers} trainers"
        query = f"one metric of all runs, asked by {sizes.pages} pages"
        self._add(Figure(f"points that arrived in {sizes.secs:.0f} s", "count", trained["points"]))
        self._add(Figure("points lost or doubled", "count", wrong, None, "0", wrong == 0))
        for what, secs, limit in (
            (upload, trained["request_secs"], UPLOAD_P99_SECS),
            (query, pages["request_secs"], QUERY_P99_SECS),
        ):
            p99 = float(np.quantile(secs, 0.99))
            self._add(Figure(f"{what}: median", "s", float(np.quantile(secs, 0.5))))
            self._add(Figure(f"{what}: p99", "s", p99, None, f"≤ {limit * 1e3:g} ms", p99 <= limit))
        self._add(Figure("messages that the pages received", "count", pages["messages"]))
        self._add(Figure("peak memory of the server", "bytes", peak))

    def _wrong_points(self, folder: Path, tokens: Tokens, steps: dict[str, int]) -> int:
        """Compares every point in the server's files with what was acknowledged."""
        runs = {run.name: run for run in seamark.open(TeamFolder(folder).logs_dir(tokens.project_id), index_dir=None)}
        wrong = 0
        for name, count in steps.items():
            for number, tag in enumerate(self._tags):
                series = runs[name].scalars(tag)
                wanted = np.arange(count)
                if not np.array_equal(series.step, wanted) or not np.array_equal(series.value, wanted * 0.5 + number):
                    wrong += max(1, abs(len(series.step) - count))
        return wrong

    def _our_rates(self) -> list[dict[str, Any]]:
        """One step a request, and the largest requests."""
        rates = []
        for steps in (1, LARGEST_STEPS):
            folder = self._bench.fresh_dir("team-") / "team"
            tokens = create_team(folder, writers=RATE_CLIENTS)
            with self._serving(folder) as server:
                task = trainers.Task(
                    server=server.url,
                    project=PROJECT,
                    tokens=tokens.writers,
                    tags=self._tags,
                    trainers=RATE_CLIENTS,
                    secs=self._sizes.rate_secs,
                    steps_per_request=steps,
                )
                rates.append(finish(start(trainers, task)))
        return rates

    def _mlflow_rates(self) -> list[dict[str, Any] | None]:
        """None where MLflow is not installed in peers/mlflow."""
        program = self._peers.resolve() / "mlflow/bin/mlflow"
        if not program.exists():
            return [None, None]
        rates: list[dict[str, Any] | None] = []
        for points in (METRICS, MLFLOW_POINTS):
            folder, port = self._bench.fresh_dir("mlflow-"), free_port()
            command = [str(program), "server", "--backend-store-uri", f"sqlite:///{folder}/mlflow.db"]
            command += ["--artifacts-destination", str(folder / "artifacts"), "--port", str(port)]
            # Its workers take longer to start than the 5 seconds that uvicorn gives them on a busy machine.
            command += ["--uvicorn-opts", "--timeout-worker-healthcheck 300"]
            with ServerProcess(command, log_path=folder / "log") as process:
                url = f"http://127.0.0.1:{port}"
                wait_for(f"{url}/health", process)
                task = mlflow_client.Task(url, RATE_CLIENTS, points, self._tags, self._sizes.rate_secs)
                rates.append(finish(start(mlflow_client, task)))
        return rates

    def _aim_rate(self) -> dict[str, Any] | None:
        """None where Aim is not installed in peers/aim."""
        programs = self._peers.resolve() / "aim/bin"
        if not (programs / "aim").exists():
            return None
        folder, port = self._bench.fresh_dir("aim-"), free_port()
        subprocess.run(
            [programs / "aim", "init", "--skip-if-exists", "--repo", folder], check=True, capture_output=True
        )
        command = [str(programs / "aim"), "server", "--repo", str(folder), "--host", "127.0.0.1", "--port", str(port)]
        with ServerProcess(command, log_path=folder / "log") as process:
            wait_for(f"http://127.0.0.1:{port}/", process)
            task = {"server": f"aim://127.0.0.1:{port}", "clients": RATE_CLIENTS, "tags": self._tags}
            client = [str(programs / "python"), str(Path(__file__).with_name("aim_client.py"))]
            return finish(start_client(client, {**task, "secs": self._sizes.rate_secs}))

    @contextmanager
    def _serving(self, folder: Path) -> Iterator[Serving]:
        port = free_port()
        command = [sys.executable, "-m", "seamark", "team", "serve", str(folder), "--port", str(port)]
        with ServerProcess(command, log_path=folder.with_name("log")) as process:
            url = f"http://localhost:{port}"
            wait_for(f"{url}/team/api/projects", process)
            yield Serving(url, process)


def start(module: Any, task: Any) -> subprocess.Popen[str]:
    """Starts the clients of a module as a process, so that they do not share an interpreter with one another."""
    return start_client([sys.executable, "-m", module.__name__], asdict(task))


def start_client(command: list[str], task: dict[str, Any]) -> subprocess.Popen[str]:
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdin is not None
    process.stdin.write(json.dumps(task))
    process.stdin.close()
    return process


def finish(process: subprocess.Popen[str]) -> dict[str, Any]:
    assert process.stdout is not None
    text = process.stdout.read()
    if process.wait():
        raise RuntimeError(f"the clients failed with exit code {process.returncode}")
    result: dict[str, Any] = json.loads(text)
    return result


def secs_per_million(outcome: dict[str, Any]) -> float:
    """Of the points that were acknowledged."""
    return 1e6 * float(outcome["secs"]) / max(1, int(outcome["points"]))


def wait_for(url: str, process: ServerProcess) -> None:
    """Any response will do."""
    while True:
        try:
            urllib.request.urlopen(url, timeout=10).close()
            return
        except urllib.error.HTTPError:
            return
        except OSError:
            if not process.alive() or process.elapsed_secs() > STARTUP_SECS:
                raise RuntimeError(f"the server did not start:\n{process.last_output()}") from None
            time.sleep(0.1)
