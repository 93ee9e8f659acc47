"""Reads the configuration files of many run folders, ahead of the code that parses them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import NamedTuple

from seamark import _core
from seamark.format import run_record
from seamark.format.config_names import CONFIG_NAMES

ALL_NAMES = (*CONFIG_NAMES, run_record.FILE_NAME)
HYDRA = ".hydra"
MAX_BYTES = 4 << 20
# Files of one batch are held in memory while the batch before is parsed.
BATCH_FOLDERS = 250
THREADS = min(os.cpu_count() or 1, 4)
_WANTED = [name.encode() for name in (*(name for name in ALL_NAMES if "/" not in name), HYDRA)]

Identity = tuple[int, int, int]  # inode, size, mtime in nanoseconds


class FolderContents(NamedTuple):
    """The files with a name that is read. `unread` are links, folders and files that are too big."""

    identity: Identity | None  # None: there is no such folder
    files: dict[str, tuple[Identity, bytes]]
    unread: list[str]


def read_folders(folders: Sequence[str]) -> Iterator[FolderContents]:
    """In the order of `folders`. The next batch is read, without the GIL, while the caller parses this one."""
    batches = [folders[at : at + BATCH_FOLDERS] for at in range(0, len(folders), BATCH_FOLDERS)]
    if len(batches) < 2:
        yield from _read_batch(folders)
        return
    with ThreadPoolExecutor(1, "seamark-run-folders") as reader:
        coming: Future[list[FolderContents]] = reader.submit(_read_batch, batches[0])
        for following in [*batches[1:], None]:
            contents = coming.result()
            if following is not None:
                coming = reader.submit(_read_batch, following)
            yield from contents


def _read_batch(folders: Sequence[str]) -> list[FolderContents]:
    paths = [os.fsencode(folder) for folder in folders]
    return [
        FolderContents(identity, {name: (stamp, data) for name, stamp, data in files}, unread)
        for identity, files, unread in _core.read_run_folders(paths, _WANTED, max_bytes=MAX_BYTES, threads=THREADS)
    ]
