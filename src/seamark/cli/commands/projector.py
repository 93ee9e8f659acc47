"""Show the vectors of one file in the Projector, without a log directory.

Reads .npy, .npz, .safetensors, .parquet, .arrow, .feather, .csv and .tsv files where they are; nothing is copied.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import shutil
from pathlib import Path
from urllib.parse import quote

from seamark.cli.arguments.log_directory import refuse
from seamark.cli.commands import serve
from seamark.cli.opened_page import OpenedPage
from seamark.store import LogRoot


def add_arguments(parser: argparse.ArgumentParser) -> None:
    which = parser.add_argument_group("what to show")
    which.add_argument("file", type=Path, metavar="FILE", help="the vectors")
    which.add_argument(
        "--metadata", type=Path, metavar="FILE", help="labels, or a table with a row per vector: .tsv, .csv or .parquet"
    )
    serve.add_server_arguments(parser)


def run(args: argparse.Namespace) -> int:
    file: Path = args.file
    try:
        name = embedding_name(file)
        folder = linked_run(log_dir_of(file), file, metadata_of(file, args.metadata))
    except (ValueError, OSError) as error:
        return refuse("projector", error)
    page = OpenedPage(f"'{file}'", f"projector&projector.run={quote(folder.name)}&projector.name={quote(name)}")
    return serve.show([LogRoot("", folder.parent)], args, page=page)


def embedding_name(file: Path) -> str:
    """Of the file, or of the first array in it."""
    from seamark.embeddings.readers.files import SUFFIXES, arrays_in  # loads NumPy

    check_file(file, SUFFIXES)
    arrays = arrays_in(file)
    if not arrays:
        raise ValueError(f"the file has no matrix of numbers: '{file}'")
    return f"file:{file.name}#{arrays[0]}" if arrays[0] else f"file:{file.name}"


def metadata_of(file: Path, named: Path | None) -> Path | None:
    """The file that --metadata names, or `vectors.metadata.tsv` beside `vectors.npy`."""
    from seamark.embeddings.readers.labels import LABELS_SUFFIXES

    if named is not None:
        check_file(named, LABELS_SUFFIXES)
        return named
    beside = (file.with_name(f"{file.stem}.metadata{suffix}") for suffix in LABELS_SUFFIXES)
    return next((path for path in beside if path.is_file()), None)


def check_file(path: Path, suffixes: tuple[str, ...]) -> None:
    if not path.is_file():
        raise ValueError(f"no such file: '{path}'")
    if not path.name.lower().endswith(suffixes):
        raise ValueError(f"this type of file is not known, want one of {', '.join(suffixes)}: '{path}'")


def log_dir_of(file: Path) -> Path:
    """A log directory for this file only: its index, saved state and projections are there the next time."""
    from seamark.format.user_dirs import user_cache_dir

    digest = hashlib.sha256(str(file.resolve()).encode(errors="replace")).hexdigest()[:16]
    return user_cache_dir() / "projector" / digest


def linked_run(log_dir: Path, file: Path, metadata: Path | None) -> Path:
    """A run whose folder has links to the files. Returns the folder."""
    from seamark.plugin.run_folder import allow_links_to
    from seamark.write.append.event_file import EventFile

    folder = log_dir / (file.stem.lstrip(".") or "vectors")
    # Removed first: the metadata may be another file than the last time.
    shutil.rmtree(log_dir, ignore_errors=True)
    EventFile(folder).close()  # makes it a run
    links = {file.name: file}
    if metadata is not None:
        links[f"{file.stem}.metadata{metadata.suffix.lower()}"] = metadata  # where it is looked for
    for name, target in links.items():
        path = folder / name
        try:
            path.symlink_to(target.resolve())
            allow_links_to(target.resolve())
        except OSError:  # Windows lets few users make symbolic links
            with contextlib.suppress(OSError):
                path.hardlink_to(target)
                continue
            shutil.copyfile(target, path)
    return folder
