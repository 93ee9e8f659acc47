"""Simulated trainers, many in one process: each sends its points to a team server over a connection of its own.

python -m bench.team.trainers   reads its task as JSON from stdin, and prints the result as JSON
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from dataclasses import asdict, dataclass, field
from urllib.parse import urlsplit

import msgspec
import numpy as np

from seamark import _core
from seamark.upload import wire

FILE_NAME = "events.out.tfevents.1000000000.bench"
START_SECS = 1_000_000_000.0


@dataclass(frozen=True)
class Task:
    """`secs` 0.0 of `points_secs`: as fast as the server answers, `steps_per_request` at a time."""

    server: str
    project: str
    tokens: tuple[str, ...]  # used in turn; a server takes a limited number of requests a second with each
    trainers: int
    tags: list[str]
    secs: float
    points_secs: float = 0.0
    steps_per_request: int = 1
    prefix: str = "run"


@dataclass
class Outcome:
    request_secs: list[float] = field(default_factory=list)
    points: int = 0
    steps: dict[str, int] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)
    secs: float = 0.0


def encode_steps(tags: list[str], first: int, count: int) -> bytes:
    steps = np.repeat(np.arange(first, first + count, dtype=np.int64), len(tags))
    index = np.tile(np.arange(len(tags), dtype=np.uint32), count)
    names = [tag.encode() for tag in tags]
    times = (START_SECS + steps).astype(np.float64)
    return _core.encode_scalars(names, index, steps, times, (steps * 0.5 + index).astype(np.float64))


class Sender:
    """One connection that is kept open."""

    def __init__(self, server: str, path: str, headers: dict[str, str]) -> None:
        self._address = urlsplit(server)
        lines = [f"POST {path} HTTP/1.1", f"Host: {self._address.netloc}", *(f"{k}: {v}" for k, v in headers.items())]
        self._head = "".join(f"{line}\r\n" for line in lines)
        self._open: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def post(self, body: bytes) -> tuple[int, bytes]:
        for _ in range(2):  # a server may close a connection that was idle
            if self._open is None:
                self._open = await asyncio.open_connection(self._address.hostname, self._address.port)
            reader, writer = self._open
            try:
                writer.write(f"{self._head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
                await writer.drain()
                head = await reader.readuntil(b"\r\n\r\n")
                length = next(
                    int(line.partition(b":")[2]) for line in head.lower().split(b"\r\n") if b"content-length" in line
                )
                return int(head.split()[1]), await reader.readexactly(length)
            except (ConnectionError, asyncio.IncompleteReadError):
                self._open = None
        raise ConnectionError("the server closes every connection")


async def train(task: Task, number: int, outcome: Outcome, ends_at: float) -> None:
    run = f"{task.prefix}-{number:03d}"
    headers = {"Authorization": f"Bearer {task.tokens[number % len(task.tokens)]}", "Content-Type": wire.MEDIA_TYPE}
    sender = Sender(task.server, f"/team/api/projects/{task.project}/upload", headers)
    waiting, offset, step = _core.encode_file_version(START_SECS), 0, 0
    begun = time.monotonic() - number / max(1, task.trainers)  # not all at the same moment
    if task.points_secs:
        await asyncio.sleep(number / max(1, task.trainers))
    while time.monotonic() < ends_at:
        count = task.steps_per_request
        if task.points_secs:
            count = max(0, int((time.monotonic() - begun) / task.points_secs) + 1 - step)
        waiting += encode_steps(task.tags, step, count)
        step += count
        started = time.monotonic()
        piece = wire.make_piece(run, FILE_NAME, offset, waiting)
        status, body = await sender.post(msgspec.msgpack.encode(wire.UploadRequest([piece])))
        outcome.request_secs.append(time.monotonic() - started)
        if status != 200:
            outcome.errors.append(f"{status}: {body[:200]!r}")
            await asyncio.sleep(1.0)
            continue
        response = msgspec.msgpack.decode(body, type=wire.UploadResponse)
        if response.results[0].outcome != "stored":
            outcome.errors.append(str(response.results[0]))
            return
        offset += len(waiting)
        waiting = b""
        outcome.steps[run] = step
        if task.points_secs:
            await asyncio.sleep(max(task.points_secs, response.pause_secs))


async def run(task: Task) -> Outcome:
    outcome = Outcome()
    started = time.monotonic()
    await asyncio.gather(*(train(task, number, outcome, started + task.secs) for number in range(task.trainers)))
    outcome.secs = time.monotonic() - started
    outcome.points = sum(outcome.steps.values()) * len(task.tags)
    return outcome


def main() -> int:
    task = Task(**json.load(sys.stdin))
    print(json.dumps(asdict(asyncio.run(run(task)))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
