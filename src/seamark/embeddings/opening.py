"""Opens embeddings: vectors, metadata, thumbnails and bookmarks of a file, or of an entry of a projector config."""

from __future__ import annotations

from pathlib import Path

from seamark.embeddings.form import Embedding, EmbeddingError, Thumbnails
from seamark.embeddings.metadata import NO_TABLE, Table, build
from seamark.embeddings.readers import files, text
from seamark.embeddings.readers.checkpoint_tensor import raw_matrix, stored_matrix
from seamark.embeddings.readers.labels import read_labels
from seamark.embeddings.readers.matrix import Matrix
from seamark.embeddings.readers.run_config import RunConfig
from seamark.embeddings.readers.sprites import read_sprite
from seamark.embeddings.vector_cache import VectorCache
from seamark.kinds.projector.config import Embedding as ConfigEntry

MAX_BOOKMARKS_BYTES = 64 << 20


def open_file(cache: VectorCache, path: Path, array: str, labels: Path | None) -> Embedding:
    """One embedding of a file, with the metadata in it and in the file beside it."""
    vectors = cache.get(path, array, lambda: files.open_matrix(path, array))
    problems: list[str] = []
    tables = [files.own_metadata(path)]
    if labels is not None:
        tables.append(_labels(labels, vectors.rows, problems))
    metadata, misfits = build(tables, vectors.rows)
    return Embedding(vectors, metadata, problems=(*problems, *misfits))


def open_configured(cache: VectorCache, found: RunConfig, entry: ConfigEntry) -> Embedding:
    """An embedding that a projector config or a checkpoint names. All but the vectors is optional."""
    if entry.tensor_path:
        file = found.asset(entry.tensor_path)
        vectors = cache.get(file, str(entry.tensor_shape), lambda: _tensor_matrix(file, entry.tensor_shape))
    else:
        stored, file = found.stored(entry)
        vectors = cache.get(file, f"{stored.name} {stored.offset}", lambda: stored_matrix(stored, file))
    problems: list[str] = []
    table = NO_TABLE
    if entry.metadata_path:
        try:
            table = _labels(found.asset(entry.metadata_path), vectors.rows, problems)
        except EmbeddingError as error:
            problems.append(f"the metadata cannot be read: {error}")
    metadata, misfits = build([table], vectors.rows)
    thumbnails = _thumbnails(found, entry, vectors.rows, problems)
    bookmarks = _bookmarks(found, entry, problems)
    return Embedding(vectors, metadata, thumbnails, bookmarks, (*problems, *misfits))


def _tensor_matrix(file: Path, shape: tuple[int, ...]) -> Matrix:
    """Tab-separated numbers, or raw floats of the config's shape."""
    if not shape or text.begins_with_numbers(file):
        return text.text_matrix(file)
    return raw_matrix(file, shape)


def _labels(path: Path, points: int, problems: list[str]) -> Table:
    try:
        return read_labels(path, points)
    except (EmbeddingError, OSError) as error:
        problems.append(f"the metadata cannot be read: {_reason(error)}")
        return NO_TABLE


def _thumbnails(found: RunConfig, entry: ConfigEntry, points: int, problems: list[str]) -> Thumbnails | None:
    if entry.sprite is None or not entry.sprite.image_path:
        return None
    try:
        return read_sprite(found.asset(entry.sprite.image_path), entry.sprite.single_image_dim, points)
    except (EmbeddingError, OSError) as error:
        problems.append(f"no thumbnails are shown: {_reason(error)}")
        return None


def _bookmarks(found: RunConfig, entry: ConfigEntry, problems: list[str]) -> bytes:
    if not entry.bookmarks_path:
        return b""
    try:
        with found.asset(entry.bookmarks_path).open("rb") as stream:
            data = stream.read(MAX_BOOKMARKS_BYTES + 1)
        if len(data) > MAX_BOOKMARKS_BYTES:
            raise EmbeddingError(f"they are too large: want at most {MAX_BOOKMARKS_BYTES >> 20} MB")
    except (EmbeddingError, OSError) as error:
        problems.append(f"the bookmarks cannot be read: {_reason(error)}")
        return b""
    return data


def _reason(error: Exception) -> str:
    return error.strerror or str(error) if isinstance(error, OSError) else str(error)
