"""Examples in files and folders, by the ending of their names."""

from __future__ import annotations

from pathlib import Path

from seamark.examples.readers import image_folder, tf_example
from seamark.tables.column import Table
from seamark.tables.readers import files

SUFFIXES = (*files.SUFFIXES, *tf_example.SUFFIXES)


def read_source(path: Path) -> Table:
    """Raises TableError and OSError."""
    if path.is_dir():
        return image_folder.read_image_folder(path)
    if path.name.lower().endswith(tf_example.SUFFIXES):
        return tf_example.read_tf_examples(path)
    return image_folder.with_pictures(files.read_table(path), path.parent)
