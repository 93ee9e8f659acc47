"""A log directory with one run, whose folder has links to files of the user: for commands that show one file."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory


def check_file(path: Path, suffixes: tuple[str, ...]) -> None:
    if path.is_dir():
        raise ValueError(f"got a folder, want a file (seamark --logdir shows folders): '{path}'")
    if not path.is_file():
        raise ValueError(f"no such file: '{path}'")
    if not path.name.lower().endswith(suffixes):
        raise ValueError(f"this type of file is not known, want one of {', '.join(suffixes)}: '{path}'")


@contextmanager
def log_dir_of(command: str, file: Path, index_dir: str | None) -> Iterator[Path]:
    """A log directory for this file only: what is saved for it is there the next time.

    With `--index_dir none` nothing stays in the cache directory: it is a temporary folder.
    """
    from seamark.format.user_dirs import user_cache_dir

    if index_dir == "none":
        with TemporaryDirectory(prefix=f"seamark-{command}-") as folder:
            yield Path(folder) / "log"
        return
    digest = hashlib.sha256(str(file.resolve()).encode(errors="replace")).hexdigest()[:16]
    yield user_cache_dir() / command / digest


def linked_run(log_dir: Path, run: str, files: Mapping[str, Path]) -> Path:
    """A run whose folder has links to the files, by the names of the links. Returns the folder."""
    from seamark.plugin.run_folder import allow_links_to
    from seamark.write.append.event_file import EventFile

    folder = log_dir / (run.lstrip(".") or "file")
    # Removed first: the files may be others than the last time.
    shutil.rmtree(log_dir, ignore_errors=True)
    EventFile(folder).close()  # makes it a run
    for name, target in files.items():
        (folder / name).symlink_to(target.resolve())
        allow_links_to(target.resolve())
    return folder
