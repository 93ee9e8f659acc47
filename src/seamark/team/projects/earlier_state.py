"""Moves the saved state of a project from the file where earlier versions had it into the database."""

from __future__ import annotations

import hashlib
import logging
from pathlib import Path

from seamark.serve.state.database import FILE_NAME, StateDatabase
from seamark.serve.state.document import format_document, merge
from seamark.serve.state.state import known_positions, next_positions, read_document
from seamark.serve.state.storage import StateRows, StateStorage, StateUnavailableError

LOG = logging.getLogger(__name__)


def move_earlier_state(folder: Path, project_id: str, storage: StateStorage) -> None:
    """What another process has moved or changed already wins. The file goes: it has notes of runs deleted later."""
    file = folder / FILE_NAME
    if not file.is_file():
        return
    key = hashlib.blake2b(project_id.encode(), digest_size=12).hexdigest()
    earlier = StateDatabase(folder, key, can_repair=False)
    try:
        earlier.read(lambda rows: storage.write(lambda target: copy_rows(rows, target)))
    except StateUnavailableError as error:
        LOG.warning("earlier names, notes and pins are not in the database yet (%s): '%s'", error, file)
        return
    finally:
        earlier.close()
    for end in ("", "-journal", "-wal", "-shm"):
        file.with_name(FILE_NAME + end).unlink(missing_ok=True)


def copy_rows(source: StateRows, target: StateRows) -> None:
    document, current = read_document(source), read_document(target)
    if document["version"]:
        merged = merge(document, {name: value for name, value in current.items() if value})
        target.save_document(max(document["version"], current["version"]) + 1, format_document(merged))
    known = known_positions(target)
    seen = known_positions(source)
    target.add_positions(next_positions(known, sorted(seen, key=lambda run: seen[run])) if known else seen)
    for id, _ in reversed(source.text_sizes()):
        content = source.text(id)
        if isinstance(content, bytes):
            target.save_text(id, 0.0, content)
