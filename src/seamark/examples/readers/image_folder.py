"""A folder of images: the classes are its subfolders, or a table in it names the files."""

from __future__ import annotations

from pathlib import Path

from seamark.examples.readers.picture_folder import MAX_PICTURES, PictureFolder
from seamark.tables.build import column_of_names
from seamark.tables.column import Column, Table, TableError
from seamark.tables.readers.files import SUFFIXES, read_table

IMAGE, LABEL = "image", "label"


def read_image_folder(folder: Path) -> Table:
    table = table_in(folder)
    return by_subfolder(folder) if table is None else with_pictures(read_table(table), folder)


def table_in(folder: Path) -> Path | None:
    """The first table of the folder whose texts name images of it."""
    tables = sorted(path for path in folder.iterdir() if path.name.lower().endswith(SUFFIXES) and path.is_file())
    for path in tables:
        if path.is_symlink() or path.name.startswith(".") or path.name.endswith(".schema.json"):
            continue
        try:
            if any(column.type == IMAGE for column in with_pictures(read_table(path), folder).columns):
                return path
        except TableError:
            continue
    return None


def by_subfolder(folder: Path) -> Table:
    paths: list[str] = []
    for path in PictureFolder(folder).paths():
        paths.append(path)
        if len(paths) > MAX_PICTURES:
            raise TableError(f"the folder has too many pictures: want at most {MAX_PICTURES:,}")
    if not paths:
        raise TableError("the folder has no pictures")
    labels = [path.rpartition("/")[0] or None for path in paths]
    columns = [column_of_names(IMAGE, paths, "image")]
    if any(labels):
        columns.append(column_of_names(LABEL, labels, "category"))
    return Table(len(paths), tuple(columns), read_picture=PictureFolder(folder).read)


def with_pictures(table: Table, folder: Path) -> Table:
    """The table, with texts that name image files of the folder as image columns."""
    pictures = PictureFolder(folder)
    columns = tuple(_as_image(c) if c.codes is not None and pictures.has_most(c.names) else c for c in table.columns)
    if columns == table.columns or table.read_picture is not None:
        return table
    return Table(table.rows, columns, table.problems, pictures.read)


def _as_image(column: Column) -> Column:
    return Column(column.name, "image", codes=column.codes, names=column.names)
