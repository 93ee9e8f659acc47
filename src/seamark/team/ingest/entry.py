"""Entry: bytes that belong into a file of a project, as the journal and the object storage keep them."""

from __future__ import annotations

import msgspec

from seamark.upload.wire import Whole


class Entry(msgspec.Struct, frozen=True, array_like=True):
    """Without `replaces` the bytes belong to the file at `offset`, otherwise to its new content."""

    project_id: str
    run: str
    file: str
    offset: int
    data: bytes
    replaces: Whole | None = None

    @property
    def end(self) -> int:
        return self.offset + len(self.data)
