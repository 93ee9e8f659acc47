"""Forks children that open a store; they start fast because the modules are already imported.

Reads one JSON task per line from stdin and prints the child's process id. A child loads its log directory, and then
follows it until it is killed, or writes a dump of the store to its named pipe and ends.
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
    # Run as a program, this file has to add the folder of the package `tests` itself.
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from seamark.store.index import committer
from tests.faults import logs


def run_child(task: dict[str, Any]) -> None:
    """The pipe stays open until the process ends in any way."""
    with Path(task["pipe"]).open("wb") as pipe:
        if task["file_bytes"] is not None:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (task["file_bytes"], task["file_bytes"]))
        if task["user"] is not None:
            os.setuid(task["user"])
        store = logs.open_store(Path(task["logdir"]), Path(task["index_dir"]), follow=task["follow"])
        if task["follow"]:
            signal.pause()
        dump = logs.dump(store)
        # Problems of writing the index are known only after the store is closed.
        store.close()
        problems = [(str(problem.severity), problem.message) for problem in store.problems()]
        pipe.write(pickle.dumps((dump, problems)))


def warm_up() -> None:
    """Opens and closes a store, so that all lazy imports happen before children lose permissions."""
    with tempfile.TemporaryDirectory() as folder:
        logs.write(Path(folder), "logs", logs.small_log(2).data)
        logs.reopened(Path(folder) / "logs", Path(folder) / "index")


def commit_eagerly() -> None:
    """Commits every small change at once, so that kills hit more writes."""
    for name, size in {"COMMIT_BYTES": 1, "MIN_GARBAGE_BYTES": 2000}.items():
        assert hasattr(committer, name), f"{name} is missing in seamark.store.index.committer"
        setattr(committer, name, size)


def main() -> None:
    commit_eagerly()
    warm_up()
    # The kernel reaps the children.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for text in sys.stdin:
        pid = os.fork()
        if pid == 0:
            try:
                run_child(json.loads(text))
            except BaseException as error:
                sys.stderr.write(f"child failed: {error!r}\n")
                sys.stderr.flush()
                os._exit(1)
            os._exit(0)
        print(pid, flush=True)


if __name__ == "__main__":
    main()
