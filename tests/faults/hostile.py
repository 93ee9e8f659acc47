"""A process that answers requests about hostile files and reports the memory that each case took.

Reads the log directory and the requests as JSON from stdin. Writes one line of JSON: for every request its status, or
the error, and by how many bytes it raised the peak of the resident memory.
"""

from __future__ import annotations

import json
import resource
import sys
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    # This file runs as a program: the folder that holds the package `tests` has to be named.
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from starlette.testclient import TestClient

from seamark.serve.app import create_app
from seamark.store import LogRoot, Store


def peak_bytes() -> int:
    """Returns the peak memory of this process alone; getrusage includes that of the parent process."""
    (line,) = (line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) * 1024


def limit_memory(extra_bytes: int) -> None:
    """Limits the growth of the address space, so that a mistake raises MemoryError instead of using all memory."""
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + extra_bytes, used + extra_bytes))


def answered(client: TestClient, path: str) -> dict[str, Any]:
    before = peak_bytes()
    status, body = 0, b""
    with client.stream("GET", path) as answer:
        status = answer.status_code
        for piece in answer.iter_bytes():
            body = (body + piece)[:1000]
    return {"path": path, "status": status, "body": body.decode(errors="replace"), "bytes": peak_bytes() - before}


def main() -> None:
    task = json.loads(sys.stdin.readline())
    limit_memory(task["limit_bytes"])
    before = peak_bytes()
    # One thread reads, whatever the number of cores: every thread takes memory and address space of its own.
    with Store([LogRoot("", Path(task["logdir"]))], index_dir=None, follow=False, workers=1) as store:
        loaded = store.wait_loaded(120)
        client = TestClient(create_app(store), base_url="http://localhost", raise_server_exceptions=False)
        answers = [answered(client, path) for path in task["paths"]]
        problems = [problem.message for problem in store.problems()]
        print(
            json.dumps({"is_loaded": loaded, "problems": problems, "answers": answers, "bytes": peak_bytes() - before})
        )


if __name__ == "__main__":
    main()
