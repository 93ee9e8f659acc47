"""Clients of Aim's server that track points as fast as it takes them. Runs with the Python that has Aim.

python aim_client.py   reads its task as JSON from stdin, and prints the points and the seconds as JSON
"""

from __future__ import annotations

import json
import sys
import threading
import time
from dataclasses import dataclass

from aim import Run


@dataclass(frozen=True)
class Task:
    server: str
    clients: int
    tags: list[str]
    secs: float


def track(task: Task, points: list[int], ends_at: float) -> None:
    run = Run(repo=task.server, system_tracking_interval=None, log_system_params=False, capture_terminal_logs=False)
    step = 0
    while time.monotonic() < ends_at:
        for number, tag in enumerate(task.tags):
            run.track(step * 0.5 + number, name=tag, step=step)
        step += 1
    # Returns when the server has taken everything.
    run.close()
    points.append(step * len(task.tags))


def main() -> int:
    task = Task(**json.load(sys.stdin))
    points: list[int] = []
    started = time.monotonic()
    arguments = (task, points, started + task.secs)
    threads = [threading.Thread(target=track, args=arguments) for _ in range(task.clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(json.dumps({"points": sum(points), "secs": time.monotonic() - started, "errors": []}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
