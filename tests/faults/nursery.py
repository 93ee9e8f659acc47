"""A process that forks children which open a store: each is at work at once, because the imports are done before.

Reads one JSON task per line from stdin and answers with the child's process id. A child loads its log directory; then
it follows it until it is killed, or says all it sees through its line, a named pipe, and ends.
"""

from __future__ import annotations

import json
import os
import pickle
import resource
import signal
import sys
import tempfile
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    # This file runs as a program: the folder that holds the package `tests` has to be named.
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from seamark.store.index import committer
from tests.faults import logs


def live(task: dict[str, Any]) -> None:
    """What a child does with its life. Its line is open until it ends, however it ends."""
    with Path(task["line"]).open("wb") as line:
        if task["file_bytes"] is not None:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (task["file_bytes"], task["file_bytes"]))
        if task["user"] is not None:
            os.setuid(task["user"])
        store = logs.open_store(Path(task["logdir"]), Path(task["index_dir"]), follow=task["follow"])
        if task["follow"]:
            signal.pause()
        shown = logs.dump(store)
        # What is read is shown first and written to the index after: only then is it known whether that worked.
        store.close()
        problems = [(str(problem.severity), problem.message) for problem in store.problems()]
        line.write(pickle.dumps((shown, problems)))


def warm_up() -> None:
    """One store's whole life: what is imported late is imported now, while everything may still be read."""
    with tempfile.TemporaryDirectory() as folder:
        logs.write(Path(folder), "logs", logs.small_log(2).data)
        logs.reopened(Path(folder) / "logs", Path(folder) / "index")


def hasten_commits() -> None:
    """Makes the index take in every little growth at once: the more it writes, the more a kill can hit."""
    for name, size in {"COMMIT_BYTES": 1, "MIN_GARBAGE_BYTES": 2000}.items():
        assert hasattr(committer, name), f"no {name} any more: how are small commits forced now?"
        setattr(committer, name, size)


def main() -> None:
    hasten_commits()
    warm_up()
    # Children are never waited for: the kernel takes them away.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for text in sys.stdin:
        pid = os.fork()
        if pid == 0:
            try:
                live(json.loads(text))
            except BaseException as error:
                sys.stderr.write(f"child failed: {error!r}\n")
                sys.stderr.flush()
                os._exit(1)
            os._exit(0)
        print(pid, flush=True)


if __name__ == "__main__":
    main()
