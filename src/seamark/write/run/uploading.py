"""Sends a run to a team server while it is written: what init() and the end of a run call."""

from __future__ import annotations

import logging
import os
import sys
from pathlib import Path

from seamark.upload import spool
from seamark.upload.connection import Connection
from seamark.upload.destination import SERVER_VARIABLE, TOKEN_VARIABLE, Destination, find_destination
from seamark.upload.errors import SettingsError
from seamark.upload.local_runs import find_runs
from seamark.upload.pusher import Pusher
from seamark.upload.sender import RunSender
from seamark.write.queue.warn_once import WarnOnce

FINISH_SECS = 30.0
# An orchestrator that sends a signal kills the process some seconds later.
KILLED_SECS = 3.0

logger = logging.getLogger(__name__)


def wanted_destination(server: str | None, project: str) -> Destination | None:
    """None if no server is named. Settings that cannot be are a warning: the training starts all the same."""
    if not (server or os.environ.get(SERVER_VARIABLE)):
        return None
    try:
        return find_destination(server, project, needs_token=False)
    except SettingsError as error:
        WarnOnce(logger, project).warn("upload", f"the run is recorded on this machine only: {error}")
        return None


def server_sender(destination: Destination, folder: Path, warn_once: WarnOnce) -> RunSender:
    connection = Connection(destination)
    pusher = Pusher(connection, lambda: find_runs(folder, root_name=folder.name), report=warn_once.warn)
    return RunSender(pusher, warn=warn_once.warn, recovered=warn_once.reset, close=connection.close)


class RunUpload:
    """The upload of one run. `is_online` False: only notes where it belongs, for `seamark push`."""

    address = logdir = ""  # only buckets have them

    def __init__(self, destination: Destination, folder: Path, *, is_online: bool) -> None:
        # Where people look at the run, while it is uploaded and then.
        self.page = destination.page if is_online and destination.token else ""
        self._folder, self._warn_once = folder, WarnOnce(logger, str(folder))
        self._sender: RunSender | None = None
        with self._warn_once.guard("note", "the destination of the run cannot be noted"):
            spool.write_note(folder, spool.Note(destination.server, destination.project, folder.name))
        if is_online and not destination.token:
            problem = f"the run is not uploaded: there is no token; set {TOKEN_VARIABLE}, or run seamark login"
            self._warn_once.warn("token", problem)
        elif is_online:
            self._sender = server_sender(destination, folder, self._warn_once)
            self._sender.start()

    def finish(self, *, is_killed: bool) -> None:
        """Sends the rest for a bounded time; a run that the server has completely leaves the spool."""
        if self._sender is not None and self._sender.finish(KILLED_SECS if is_killed else FINISH_SECS):
            spool.remove_spooled(self._folder)
        elif not is_killed:
            command = "seamark push" if spool.is_in_spool(self._folder) else f"seamark push --logdir {self._folder}"
            print(f"seamark: not everything was uploaded; {command} sends the rest", file=sys.stderr)
