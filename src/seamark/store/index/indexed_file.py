"""The index's own state of one event file."""

from __future__ import annotations

from msgspec import Struct, field

from seamark.store.index.chunk_file import ChunkFile


class IndexedFile(Struct):
    """Owned by the committer thread, after the follower thread has restored it from the catalogue."""

    path: str | None = None  # in the catalogue; None if the file is not in it
    chunk: ChunkFile | None = None  # where the file's rows are stored
    generation: int = 0  # of the content whose rows are in `chunk`
    retired: list[ChunkFile] = field(default_factory=list)  # deleted once the catalogue no longer names them

    def retire_chunk(self) -> None:
        if self.chunk is not None:
            self.retired.append(self.chunk)
            self.chunk = None
