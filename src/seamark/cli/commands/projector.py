"""Show the vectors of one file in the Projector, without a log directory.

Reads .npy, .npz, .safetensors, .parquet, .arrow, .feather, .csv and .tsv files where they are; nothing is copied.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from urllib.parse import quote

from seamark.cli.arguments.log_directory import refuse
from seamark.cli.commands import serve
from seamark.cli.linked_run import check_file, linked_run, log_dir_of
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
    with log_dir_of("projector", args.file, args.index_dir) as log_dir:
        return show(args, log_dir)


def show(args: argparse.Namespace, log_dir: Path) -> int:
    file: Path = args.file
    try:
        name = embedding_name(file)
        metadata = metadata_of(file, args.metadata)
        files = {file.name: file}
        if metadata is not None:
            files[f"{file.stem}.metadata{metadata.suffix.lower()}"] = metadata  # where it is looked for
        folder = linked_run(log_dir, file.stem, files)
    except (ValueError, OSError) as error:
        return refuse("projector", error)
    page = OpenedPage(f"'{file}'", f"projector&projector.run={quote(folder.name)}&projector.name={quote(name)}")
    return serve.show([LogRoot("", folder.parent)], args, page=page)


def embedding_name(file: Path) -> str:
    """Of the file, or of the first array in it."""
    from seamark.embeddings.readers.files import BINARY_SUFFIXES, SUFFIXES, arrays_in, open_matrix  # loads NumPy

    check_file(file, SUFFIXES)
    arrays = arrays_in(file)
    if not arrays:
        raise ValueError(f"the file has no matrix of numbers: '{file}'")
    if file.suffix.lower() in BINARY_SUFFIXES:
        open_matrix(file, arrays[0])  # reads the header: what is wrong with it is said before a page opens
    return f"file:{file.name}#{arrays[0]}" if arrays[0] else f"file:{file.name}"


def metadata_of(file: Path, named: Path | None) -> Path | None:
    """The file that --metadata names, or `vectors.metadata.tsv` beside `vectors.npy`."""
    from seamark.embeddings.readers.labels import LABELS_SUFFIXES

    if named is not None:
        check_file(named, LABELS_SUFFIXES)
        return named
    beside = (file.with_name(f"{file.stem}.metadata{suffix}") for suffix in LABELS_SUFFIXES)
    return next((path for path in beside if path.is_file()), None)
