"""Opens embeddings: vectors, metadata, thumbnails and bookmarks of a file, or of an entry of a projector config."""

from __future__ import annotations

import math
from pathlib import Path

from seamark.embeddings import metadata_cache
from seamark.embeddings.form import Embedding, EmbeddingError, Thumbnails
from seamark.embeddings.metadata import NO_TABLE, Table, build
from seamark.embeddings.readers import files, text
from seamark.embeddings.readers.checkpoint_tensor import raw_matrix, stored_id, stored_matrix
from seamark.embeddings.readers.labels import read_labels
from seamark.embeddings.readers.matrix import FLOAT32, Matrix
from seamark.embeddings.readers.run_config import RunConfig
from seamark.embeddings.readers.sprites import read_sprite
from seamark.embeddings.vector_cache import VectorCache
from seamark.format.budget import reading
from seamark.kinds.projector.config import Embedding as ConfigEntry

MAX_BOOKMARKS_BYTES = 64 << 20


def open_file(
    cache: VectorCache, path: Path, array: str, labels: Path | None, *, are_labels_shared: bool = False
) -> Embedding:
    """One embedding of a file, with the metadata in it and in the file beside it.

    Shared labels may belong to another file: they are used if they have a row for each point.
    """
    vectors = cache.get(path, array, lambda: files.open_matrix(path, array))

    def parse() -> metadata_cache.Parsed:
        problems: list[str] = []
        beside = _labels(labels, vectors.rows, problems)
        if are_labels_shared and beside.rows != vectors.rows:
            beside = NO_TABLE
        with reading(path, EmbeddingError):
            own = files.own_metadata(path)
        metadata, misfits = build([own, beside], vectors.rows)
        return metadata, problems + misfits

    sources = [file for file in (path, labels) if file is not None]
    metadata, problems = metadata_cache.get(cache.folder, sources, vectors.rows, parse)
    return Embedding(vectors, metadata, problems=tuple(problems))


def open_configured(cache: VectorCache, found: RunConfig, entry: ConfigEntry) -> Embedding:
    """An embedding that a projector config or a checkpoint names. All but the vectors is optional."""
    if entry.tensor_path:
        file = found.asset(entry.tensor_path)
        vectors = cache.get(file, str(entry.tensor_shape), lambda: _tensor_matrix(file, entry.tensor_shape))
    else:
        stored = found.stored(entry)
        vectors = cache.get(stored.parts[0].file, stored_id(stored), lambda: stored_matrix(stored))
    problems: list[str] = []
    metadata, misfits = configured_metadata(cache, found, entry, vectors.rows, problems)
    thumbnails = _thumbnails(found, entry, vectors.rows, problems)
    bookmarks = _bookmarks(found, entry, problems)
    return Embedding(vectors, metadata, thumbnails, bookmarks, (*problems, *misfits))


def configured_metadata(
    cache: VectorCache, found: RunConfig, entry: ConfigEntry, rows: int, problems: list[str]
) -> metadata_cache.Parsed:
    """Without the vectors, whose number of rows is known. Files that are not there are added to `problems`."""
    labels = _optional_asset(found, entry.metadata_path, "the metadata cannot be read", problems)

    def parse() -> metadata_cache.Parsed:
        unreadable: list[str] = []
        metadata, misfits = build([_labels(labels, rows, unreadable)], rows)
        return metadata, unreadable + misfits

    return metadata_cache.get(cache.folder, [] if labels is None else [labels], rows, parse)


def _tensor_matrix(file: Path, shape: tuple[int, ...]) -> Matrix:
    """Tab-separated numbers, or raw floats of the config's shape."""
    count = text.first_row_length(file)
    is_size_of_floats = file.stat().st_size == FLOAT32.itemsize * math.prod(shape)
    if not shape or count == shape[-1] or (count and not is_size_of_floats):
        return text.text_matrix(file)
    return raw_matrix(file, shape)


def _optional_asset(found: RunConfig, path: str, what: str, problems: list[str]) -> Path | None:
    """The file of a path in the config, or None and a sentence that begins with `what`."""
    if not path:
        return None
    try:
        return found.asset(path)
    except (EmbeddingError, OSError) as error:
        problems.append(f"{what}: {_reason(error)}")
        return None


def _labels(path: Path | None, points: int, problems: list[str]) -> Table:
    try:
        if path is None:
            return NO_TABLE
        with reading(path, EmbeddingError):
            return read_labels(path, points)
    except (EmbeddingError, OSError) as error:
        problems.append(f"the metadata cannot be read: {_reason(error)}")
        return NO_TABLE


def _thumbnails(found: RunConfig, entry: ConfigEntry, points: int, problems: list[str]) -> Thumbnails | None:
    if entry.sprite is None:
        return None
    what = "no thumbnails are shown"
    path = _optional_asset(found, entry.sprite.image_path, what, problems)
    try:
        return None if path is None else read_sprite(path, entry.sprite.single_image_dim, points)
    except (EmbeddingError, OSError) as error:
        problems.append(f"{what}: {_reason(error)}")
        return None


def _bookmarks(found: RunConfig, entry: ConfigEntry, problems: list[str]) -> bytes:
    what = "the bookmarks cannot be read"
    path = _optional_asset(found, entry.bookmarks_path, what, problems)
    if path is None:
        return b""
    try:
        with path.open("rb") as stream:
            data = stream.read(MAX_BOOKMARKS_BYTES + 1)
    except OSError as error:
        problems.append(f"{what}: {_reason(error)}")
        return b""
    if len(data) > MAX_BOOKMARKS_BYTES:
        problems.append(f"{what}: they have more than {MAX_BOOKMARKS_BYTES >> 20} MB")
        return b""
    return data


def _reason(error: Exception) -> str:
    return error.strerror or str(error) if isinstance(error, OSError) else str(error)
