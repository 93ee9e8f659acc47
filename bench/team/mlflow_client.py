"""Clients of MLflow's server that log metrics as fast as it answers.

python -m bench.team.mlflow_client   reads its task as JSON from stdin, and prints the result as JSON
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
import urllib.request
from dataclasses import asdict, dataclass

from bench.team.trainers import Outcome, Sender


@dataclass(frozen=True)
class Task:
    server: str
    clients: int
    points_per_request: int
    tags: list[str]
    secs: float


def ask(server: str, route: str, content: dict[str, object]) -> dict[str, dict[str, dict[str, str]]]:
    request = urllib.request.Request(
        f"{server}/api/2.0/mlflow/{route}", json.dumps(content).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=120) as answer:
        found: dict[str, dict[str, dict[str, str]]] = json.load(answer)
        return found


async def log(task: Task, run_id: str, outcome: Outcome, ends_at: float) -> None:
    sender = Sender(task.server, "/api/2.0/mlflow/runs/log-batch", {"Content-Type": "application/json"})
    step = 0
    while time.monotonic() < ends_at:
        steps = max(1, task.points_per_request // len(task.tags))
        metrics = [
            {"key": tag, "value": step * 0.5, "timestamp": 1_000_000_000_000 + each, "step": each}
            for each in range(step, step + steps)
            for tag in task.tags
        ]
        started = time.monotonic()
        status, body = await sender.post(json.dumps({"run_id": run_id, "metrics": metrics}).encode())
        outcome.request_secs.append(time.monotonic() - started)
        if status != 200:
            outcome.errors.append(f"{status}: {body[:200]!r}")
            continue
        step += steps
        outcome.points += len(metrics)


async def run(task: Task) -> Outcome:
    outcome = Outcome()
    runs = [
        ask(task.server, "runs/create", {"experiment_id": "0"})["run"]["info"]["run_id"] for _ in range(task.clients)
    ]
    started = time.monotonic()
    await asyncio.gather(*(log(task, run_id, outcome, started + task.secs) for run_id in runs))
    outcome.secs = time.monotonic() - started
    return outcome


def main() -> int:
    print(json.dumps(asdict(asyncio.run(run(Task(**json.load(sys.stdin)))))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
