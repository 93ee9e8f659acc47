"""Opens Parquet and Arrow files, for every reader of them. Needs pyarrow, which is optional."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from seamark.tables.column import TableError
from seamark.tables.readers.arrow_sizes import check_messages

if TYPE_CHECKING:
    import pyarrow

PARQUET = ".parquet"
FILE_MARK = b"ARROW1"
MARK_BYTES = 8  # with its padding
SUFFIXES = (PARQUET, ".arrow", ".feather")
NO_PYARROW = "reading Parquet and Arrow files needs pyarrow: install it with pip install 'seamark[parquet]'"


@contextmanager
def arrow_errors(error_type: type[ValueError] = TableError) -> Iterator[None]:
    """Raises errors of pyarrow as sentences of this type."""
    try:
        import pyarrow
    except ImportError:
        raise error_type(NO_PYARROW) from None
    try:
        yield
    except TableError as error:
        raise error_type(str(error)) from error
    except (pyarrow.ArrowException, OSError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise  # of the disk; pyarrow's own have no number
        raise error_type(f"the file cannot be read: {str(error).splitlines()[0]}") from error
    except UnicodeDecodeError as error:  # pyarrow checks no text of a file before it is needed
        raise error_type(f"the file cannot be read: a text in it is not UTF-8: {error}") from error
    except OverflowError as error:  # a date or a duration that Python does not have
        raise error_type(f"the file cannot be read: a time in it is out of range: {error}") from error


def has_pyarrow() -> bool:
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        return False
    return True


def is_numeric(type: pyarrow.DataType) -> bool:
    import pyarrow.types as types

    return bool(types.is_integer(type) or types.is_floating(type))


def read_schema(path: Path) -> pyarrow.Schema:
    if path.suffix.lower() == PARQUET:
        import pyarrow.parquet

        return pyarrow.parquet.read_schema(path)
    with open_arrow(path) as reader:
        return reader.schema


@contextmanager
def open_arrow(path: Path) -> Iterator[Any]:
    """Feather and Arrow files, and Arrow streams."""
    import pyarrow
    import pyarrow.ipc

    with pyarrow.memory_map(str(path)) as source:
        # A file is a stream between two marks. Its footer may name other parts than those that were checked.
        start = MARK_BYTES if source.read(len(FILE_MARK)) == FILE_MARK else 0
        source.seek(start)
        check_messages(pyarrow.ipc.MessageReader.open_stream(source))
        source.seek(start)
        with pyarrow.ipc.open_stream(source) as reader:
            yield reader
