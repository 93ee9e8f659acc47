"""Files with embeddings, by the ending of their names."""

from __future__ import annotations

from pathlib import Path

from seamark.embeddings.form import EmbeddingError, UnreadableFileError
from seamark.embeddings.metadata import NO_TABLE, Table
from seamark.embeddings.readers import arrow_files, csv_files, numpy_files, safetensors, text
from seamark.embeddings.readers.matrix import Matrix
from seamark.embeddings.readers.table_layout import is_probably_embedding
from seamark.tables.readers import arrow_open

BINARY_SUFFIXES = (".npy", ".npz", ".safetensors", *arrow_open.SUFFIXES)
TEXT_SUFFIXES = (".tsv", ".csv")
SUFFIXES = (*BINARY_SUFFIXES, *TEXT_SUFFIXES)
SEVERAL_ARRAYS = (".npz", ".safetensors")
MAX_ARRAYS = 500


def arrays_in(path: Path) -> list[str]:
    """The names of the embeddings in a file; "" for a file that is one."""
    match path.suffix.lower():
        case ".npz":
            return numpy_files.npz_names(path)[:MAX_ARRAYS]
        case ".safetensors":
            return safetensors.tensor_names(path)[:MAX_ARRAYS]
    return [""]


def is_probably_one(path: Path) -> bool:
    """Whether a file that nobody named has an embedding, judged by its beginning.

    Raises UnreadableFileError, and EmbeddingError for a binary file without one; any text may be in the others.
    """
    match path.suffix.lower():
        case ".npy":
            numpy_files.npy_matrix(path)
        case ".tsv" | ".csv":
            return is_probably_text_of_one(path)
        case ".parquet" | ".arrow" | ".feather" if arrow_open.has_pyarrow():
            layout, is_list = arrow_files.read_layout(path)
            return is_list or is_probably_embedding(layout)
    return True


def is_probably_text_of_one(path: Path) -> bool:
    try:
        if path.suffix.lower() == ".tsv":
            return text.first_row_length(path) >= 2
        found = csv_files.read_layout(path)
        return is_probably_embedding(found.layout) or (not found.has_header and len(found.layout.vectors) >= 3)
    except UnreadableFileError:
        raise
    except (EmbeddingError, OSError):
        return False


def open_matrix(path: Path, array: str = "") -> Matrix:
    match path.suffix.lower():
        case ".npy":
            return numpy_files.npy_matrix(path)
        case ".npz":
            return numpy_files.npz_matrix(path, array)
        case ".safetensors":
            return safetensors.tensor_matrix(path, array)
        case ".tsv":
            return text.text_matrix(path)
        case ".csv":
            return csv_files.csv_matrix(path)
        case ".parquet" | ".arrow" | ".feather":
            return arrow_files.arrow_matrix(path)
    raise EmbeddingError(f"no embedding can be read from this file: want one of {', '.join(SUFFIXES)}")


def own_metadata(path: Path) -> Table:
    """The other columns of a table."""
    match path.suffix.lower():
        case ".csv":
            return csv_files.csv_metadata(path)
        case ".parquet" | ".arrow" | ".feather":
            return arrow_files.arrow_metadata(path)
    return NO_TABLE
