"""Send runs to a team server, and with --follow what is added to them.

Without a log directory, sends the runs that wait in the spool: those of programs that were killed, or that had no
network.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

from seamark import liveness
from seamark.backoff import Backoff
from seamark.cli.arguments.log_directory import existing_roots, refuse
from seamark.cli.arguments.patterns import pattern
from seamark.cli.output.number_format import counted, size
from seamark.cli.output.progress_bar import ProgressBar
from seamark.cli.output.text import printable
from seamark.format import run_record
from seamark.format.bucket_address import is_bucket
from seamark.upload.connection import Connection
from seamark.upload.destination import Destination, find_destination
from seamark.upload.errors import SettingsError, UploadError
from seamark.upload.local_runs import LocalRun, Skipped, find_runs
from seamark.upload.pusher import Counts, Pusher
from seamark.upload.spool import NOTE_FILE, SpooledRun, remove_spooled, spooled_runs

T = TypeVar("T")
FOLLOW_SECS = 1.0
MAX_FAILURES = 5
SILENT_SECS = 3600.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--logdir", metavar="DIR", help="folder with runs (default: the spool of seamark.init)")
    parser.add_argument(
        "--runs", type=pattern, default=pattern(""), metavar="REGEX", help="only runs whose name matches"
    )
    add_destination(parser)
    parser.add_argument("--follow", action="store_true", help="go on sending what is added, until Ctrl-C")
    parser.add_argument("--dry_run", action="store_true", help="say what would be sent, and send nothing")


def add_destination(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--project", metavar="ORG/NAME", help="project on the server (default: SEAMARK_PROJECT)")
    parser.add_argument(
        "--server", metavar="URL", help="address of the server (default: SEAMARK_SERVER, then seamark login)"
    )


def run(args: argparse.Namespace) -> int:
    try:
        if args.logdir is None:
            return push_spool(args)
        destination = find_destination(args.server, args.project)
        roots = existing_roots(args.logdir)
        problems = Problems()

        def find() -> Iterable[LocalRun]:
            for root in roots:
                yield from (
                    each
                    for each in find_runs(root.path, root_name=root.name, skip=problems.skip)
                    if args.runs.is_found(each.name)
                )

        return 0 if Push(args, destination, find, problems).run() else 1
    except (SettingsError, UploadError, ValueError, OSError) as error:
        return refuse("push", error)
    except KeyboardInterrupt:
        return 130


def push_spool(args: argparse.Namespace) -> int:
    if args.follow:
        raise SettingsError("--follow needs a log directory, as in --logdir runs")
    waiting = [each for each in spooled_runs() if args.runs.is_found(each.note.run)]
    if not waiting:
        print("No runs wait in the spool.")
    is_complete = True
    for spooled in waiting:
        if is_bucket(spooled.note.address):
            is_complete &= push_to_bucket(args, spooled)
            continue
        destination = find_destination(args.server or spooled.note.address, args.project or spooled.note.project)
        is_complete &= push_spooled(args, spooled, destination)
    return 0 if is_complete else 1


def push_to_bucket(args: argparse.Namespace, spooled: SpooledRun) -> bool:
    """Sends what a program left that was to write to a bucket."""
    from seamark.upload.bucket_pusher import BucketPusher
    from seamark.upload.bucket_upload import send_spooled

    report = Problems().report
    if args.dry_run:
        waiting = BucketPusher(spooled.note.address, spooled.folder, report=report).unsent()
        print(f"Would send {counted(len(waiting), 'file')} to {spooled.note.address}.")
        return True
    sent = send_spooled(spooled, report=report)
    if sent is None:
        print(f"A program is still writing this run, and sends it itself: {spooled.note.address}")
    else:
        print(f"{counted(sent, 'file')} sent to {spooled.note.address}")
    return True


def push_spooled(args: argparse.Namespace, spooled: SpooledRun, destination: Destination) -> bool:
    """Sends a run of the spool, and removes it if the server has everything and nobody writes it any more."""
    folder, problems = spooled.folder, Problems()
    # Looked at first: a run that ends while it is sent may have written more.
    has_ended = is_over(folder)

    def find() -> Iterable[LocalRun]:
        return find_runs(folder, root_name=spooled.note.run, skip=problems.skip)

    push = Push(args, destination, find, problems)
    is_done = push.run()
    if is_done and push.is_complete and has_ended and not args.dry_run and not problems.skipped:
        remove_spooled(folder)
    return is_done


def is_over(folder: Path) -> bool:
    """Where nobody can tell, as of a program on another machine, a run is over when it has been silent for long."""
    now = time.time()
    try:
        record = run_record.loads((folder / run_record.FILE_NAME).read_bytes())
    except (OSError, run_record.RunRecordError):  # its program was killed before it wrote the record
        return now - (folder / NOTE_FILE).stat().st_mtime > SILENT_SECS
    status = liveness.status_of(record, now=now)
    return now - record.heartbeat_at > SILENT_SECS if status == liveness.LOST else status != run_record.RUNNING


def is_newer(path: Path, begun: float) -> bool:
    """Whether a file was written since this time. False for one that is gone."""
    try:
        return path.stat().st_mtime >= begun
    except OSError:
        return False


class Problems:
    """Prints each problem once."""

    def __init__(self) -> None:
        self._reported: set[str] = set()
        self.skipped = 0

    def report(self, key: str, sentence: str) -> None:
        if key not in self._reported:
            self._reported.add(key)
            print(f"seamark push: {printable(sentence)}", file=sys.stderr)

    def skip(self, skipped: Skipped) -> None:
        if str(skipped.path) not in self._reported:
            self.skipped += 1
        self.report(str(skipped.path), f"this file is not sent: {skipped.reason}: '{skipped.path}'")


class Push:
    def __init__(
        self,
        args: argparse.Namespace,
        destination: Destination,
        find: Callable[[], Iterable[LocalRun]],
        problems: Problems,
    ) -> None:
        self._args, self._destination, self._problems = args, destination, problems
        self.is_complete = False  # whether the server has every file as it is now
        self._bar = ProgressBar(sys.stderr)
        connection = Connection(destination)
        self._pusher = Pusher(connection, find, report=self._report, progress=self._show)

    def run(self) -> bool:
        """Returns whether the server has everything that was there when this began."""
        begun = time.time()
        place = f"{self._destination.project} on {self._destination.server}"
        if self._args.dry_run:
            waiting = self._pusher.look(is_last=True)
            counts = self._pusher.counts
            print(f"Would send {size(waiting)} of {counted(counts.files, 'file')} to {place}.")
            return True
        with self._bar:
            self._retry(lambda: self._pusher.push(is_last=True))
            while self._args.follow:
                time.sleep(max(FOLLOW_SECS, self._pusher.pause_secs))
                self._retry(self._pusher.push, max_failures=None)
            unsent = self._retry(self._pusher.unsent)
        counts = self._pusher.counts
        print(
            f"{counted(counts.files, 'file')} to {place}: "
            f"{size(counts.sent_bytes)} sent, {size(counts.had_bytes)} already there"
        )
        print(f"Look at them: {self._destination.page}")
        self.is_complete = not unsent
        written = [path for path in unsent if is_newer(path, begun)]
        if written:
            print(f"{counted(len(written), 'file')} still being written: the next push sends what is new, or --follow")
        if len(written) < len(unsent):
            count = counted(len(unsent) - len(written), "file")
            self._problems.report("unsent", f"not sent as they are: {count}; run it again")
        return len(written) == len(unsent)

    def _retry(self, work: Callable[[], T], max_failures: int | None = MAX_FAILURES) -> T:
        """Repeats what fails for a time. Raises UploadError."""
        backoff, failures = Backoff(), 0
        while True:
            try:
                return work()
            except UploadError as error:
                failures += 1
                if not error.is_temporary or (max_failures is not None and failures >= max_failures):
                    raise
                self._report("retry", f"{error}; retrying")
                time.sleep(backoff.failed(error.retry_after_secs))

    def _report(self, key: str, sentence: str) -> None:
        self._bar.clear()
        self._problems.report(key, sentence)

    def _show(self, counts: Counts) -> None:
        done = counts.sent_bytes
        self._bar.show(done, done + counts.waiting_bytes, f"{size(done)} sent, {size(counts.waiting_bytes)} to go")
