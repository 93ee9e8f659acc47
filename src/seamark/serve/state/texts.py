"""Texts that are too long for an address, found by an id in it: selections of thousands of rows."""

from __future__ import annotations

import hashlib
import re
import time
import zlib
from collections.abc import Collection

from seamark.serve.state.document import BadStateError
from seamark.serve.state.storage import InvalidStateError, StateRows

MAX_TEXT_BYTES = 16 << 20
# Compressed, of one log directory. The texts that were saved first are removed.
MAX_TOTAL_BYTES = 64 << 20
ID = re.compile(r"[0-9a-f]{16}")


def save(rows: StateRows, text: str) -> str:
    """Returns the id, which is the same for an equal text."""
    data = text.encode(errors="surrogatepass")
    if len(data) > MAX_TEXT_BYTES:
        raise BadStateError(f"the text is too long: got {len(data):,} bytes, want at most {MAX_TEXT_BYTES:,}")
    id = hashlib.blake2b(data, digest_size=8).hexdigest()
    rows.save_text(id, time.time(), zlib.compress(data))
    _remove_oldest(rows)
    return id


def load(rows: StateRows, id: str) -> str | None:
    # Whatever else an address names cannot be the id of a text.
    content = rows.text(id) if ID.fullmatch(id) else None
    if content is None:
        return None
    try:
        if not isinstance(content, bytes):
            raise TypeError(type(content))
        data = zlib.decompressobj().decompress(content, MAX_TEXT_BYTES)
        return data.decode(errors="surrogatepass")
    except (zlib.error, TypeError, UnicodeDecodeError) as error:
        raise InvalidStateError("a saved text is invalid") from error


def delete_mentioning(rows: StateRows, names: Collection[str]) -> None:
    """Deletes the texts that have one of these names in them."""
    texts = {id: load(rows, id) for id, _ in rows.text_sizes()}
    rows.delete_texts([id for id, text in texts.items() if text is not None and any(name in text for name in names)])


def _remove_oldest(rows: StateRows) -> None:
    total, removed = 0, []
    for id, size in rows.text_sizes():
        total += size
        if total > MAX_TOTAL_BYTES:
            removed.append(id)
    rows.delete_texts(removed)
