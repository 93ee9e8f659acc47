"""Pages that watch a project of a team server, all in one process.

python -m bench.team.watchers   reads its task as JSON from stdin, and prints the result as JSON
"""

from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import dataclass
from urllib.parse import urlsplit

from bench.pages import PageResult, Target, check, listen, request_series


@dataclass(frozen=True)
class Task:
    server: str
    project: str
    token: str
    pages: int
    tags: list[str]
    secs: float


async def watch(task: Task) -> dict[str, object]:
    address = urlsplit(task.server)
    target = Target(address.hostname or "", address.port or 0, f"/p/{task.project}", task.token)
    results = [PageResult() for _ in range(task.pages)]
    ending = asyncio.Event()
    listeners = [asyncio.create_task(listen(target, result)) for result in results]
    clients = [asyncio.create_task(request_series(target, task.tags, result, ending)) for result in results]
    await asyncio.sleep(task.secs)
    ending.set()
    await asyncio.gather(*clients)
    for listener in listeners:
        listener.cancel()
    await asyncio.gather(*listeners, return_exceptions=True)
    check(results)
    return {
        "request_secs": [secs for result in results for secs in result.request_secs],
        "messages": sum(result.messages for result in results),
        "errors": [error for result in results for error in result.errors],
    }


def main() -> int:
    print(json.dumps(asyncio.run(watch(Task(**json.load(sys.stdin))))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
