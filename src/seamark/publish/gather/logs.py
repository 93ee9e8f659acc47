"""The files of the log directory that are published with --logs, so that `seamark --logdir https://…` reads the site.

Event files are cut at records. What they say about the machine is overwritten, with as many characters.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from seamark import _core
from seamark.format.site_files import LOGS_KEY, RECORDS_MEDIA, LogFile, encode_records
from seamark.format.types import RunName
from seamark.publish.gather.runs import is_published
from seamark.publish.gather.selection import Selection
from seamark.publish.recorder import JSON
from seamark.publish.redaction import published_record
from seamark.publish.request_key import get_key

LABEL = "logs"
RAW_MEDIA = "application/octet-stream"
PIECE_BYTES = 1 << 20
# `….tfevents.<seconds>.<host>.<process>.<number>`: without the host.
NAME = re.compile(r"(.*tfevents\.\d+\.)(.+?)(\.\d+\.\d+\D*)?", re.DOTALL)
HOST = "site"


def gather_logs(selection: Selection, progress: Callable[[int, int], None]) -> None:
    runs = selection.changed_runs
    for at, run in enumerate(runs):
        files = [*event_files(selection, run), *run_files(selection, run)]
        selection.recorder.spool.add(
            f"{LOGS_KEY}\0{run}", msgspec.json.encode(files), label=LABEL, owner=run, media=JSON, order=("", run)
        )
        progress(at + 1, len(runs))


def event_files(selection: Selection, run: RunName) -> Iterator[LogFile]:
    stored = selection.store.stored_run(run)
    if stored is None:
        return
    taken: set[str] = set()
    for at, file in enumerate(stored.files):
        path = Path(file.path)
        name = NAME.sub(rf"\g<1>{HOST}\g<3>", path.name)
        while name in taken:
            name += f"-{at}"
        taken.add(name)
        pieces, hashed = [], hashlib.sha256()
        for piece, records in enumerate(pieces_of(path, file.consumed)):
            content = redacted(selection, records)
            key = f"log\0{run}\0{at}\0{piece}"
            add_piece(selection, run, key, content)
            pieces.append((key, len(content)))
            hashed.update(content)
        yield LogFile(f"{folder_of(run)}{name}", hashed.hexdigest()[:32], path.stat().st_mtime, pieces)


def pieces_of(path: Path, length: int) -> Iterator[bytes]:
    """The file up to `length`, cut at ends of records."""
    with path.open("rb") as file:
        rest, left = b"", length
        while left > 0:
            read = file.read(min(left, max(PIECE_BYTES - len(rest), PIECE_BYTES)))
            if not read:
                break
            left -= len(read)
            rest += read
            ends = _core.record_ends(rest)
            end = ends[-1] if ends else 0
            if end:
                yield rest[:end]
                rest = rest[end:]
        if rest:
            yield rest


def add_piece(selection: Selection, run: RunName, key: str, content: bytes) -> None:
    """Without the frames of records, unless something between them is not a record."""
    media, stored = RAW_MEDIA, content
    try:
        records = _core.unframe(content)
        if sum(map(len, records)) + 16 * len(records) == len(content):
            media, stored = RECORDS_MEDIA, encode_records(records)
    except ValueError:
        pass
    selection.recorder.spool.add(key, stored, label=LABEL, owner=run, media=media, order=("pieces", run))


def redacted(selection: Selection, records: bytes) -> bytes:
    redaction = selection.recorder.redaction
    if not redaction.is_in(records):
        return records
    try:
        return b"".join(_core.frame(redaction.overwrite(record)) for record in _core.unframe(records))
    except ValueError:
        return redaction.overwrite(records)


def run_files(selection: Selection, run: RunName) -> Iterator[LogFile]:
    """run.json without the machine, and the files that the page of the run shows."""
    answer = selection.recorder.ask("api/run", [("run", run)])
    if not answer.is_ok:
        return
    view = answer.json()
    if view.get("record"):
        body = selection.recorder.redaction.json(json.dumps(published_record(view["record"])).encode())
        key = f"log\0{run}\0run.json"
        selection.recorder.spool.add(key, body, label=LABEL, owner=run, media=JSON, order=("pieces", run))
        yield log_file(run, "run.json", [(key, body)])
    for file in view["files"] if "files" not in selection.without else []:
        parameters = [("run", run), ("path", file["path"])]
        found = selection.recorder.ask("api/run/file", parameters) if is_published(file) else None
        if found is not None and found.is_ok:
            is_json = found.media_type.startswith(JSON)
            body = selection.recorder.redaction.json(found.body) if is_json else found.body
            yield log_file(run, file["path"], [(get_key("api/run/file", parameters), body)])


def log_file(run: RunName, name: str, pieces: list[tuple[str, bytes]]) -> LogFile:
    version = hashlib.sha256(b"".join(content for _, content in pieces)).hexdigest()[:32]
    return LogFile(f"{folder_of(run)}{name}", version, 0.0, [(key, len(content)) for key, content in pieces])


def folder_of(run: RunName) -> str:
    return "" if run == "." else f"{run}/"
