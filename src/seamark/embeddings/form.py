"""Embedding: the one form of every source: a matrix of vectors, a table of metadata, thumbnails and bookmarks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

FloatMatrix = NDArray[np.float32]
RowColumn = NDArray[np.int64]
ColumnType = Literal["number", "category", "text"]
MISSING = -1


class EmbeddingError(ValueError):
    """An embedding that cannot be read or projected. The message is a sentence for people."""


class UnreadableFileError(EmbeddingError):
    """A file that is damaged or too large. Other files that cannot be read are no embeddings."""


@dataclass(frozen=True, eq=False)
class Vectors:
    """The rows of an embedding, in memory or mapped from a file; never changed."""

    values: FloatMatrix  # [rows, dimensions], C order, little-endian float32
    dtype: str  # as the source has it, such as "float16"
    # The rows whose numbers are all finite, in ascending order; None: all. Others take part in nothing.
    finite: RowColumn | None
    # Identifies the numbers: equal vectors have equal ids, wherever they lie.
    content_id: str

    @property
    def rows(self) -> int:
        return len(self.values)

    @property
    def dimensions(self) -> int:
        return int(self.values.shape[1])

    @property
    def finite_rows(self) -> RowColumn:
        return np.arange(self.rows) if self.finite is None else self.finite


@dataclass(frozen=True, eq=False)
class MetadataColumn:
    """One value for each row: a number, or a name by its code.

    A category has few names, in descending order of how many rows have them; a text may have one for every row. A
    category of whole numbers has both.
    """

    name: str
    type: ColumnType
    numbers: NDArray[np.float64] | None = None  # NaN where it is missing
    codes: NDArray[np.int32] | None = None  # positions in `names`; MISSING where it is missing
    names: Sequence[str] = ()  # of a text `Texts`

    def text(self, row: int) -> str:
        if self.numbers is not None:
            number = float(self.numbers[row])
            return "" if np.isnan(number) else f"{number:.9g}"
        code = MISSING if self.codes is None else int(self.codes[row])
        return "" if code == MISSING else self.names[code]


@dataclass(frozen=True, eq=False)
class Metadata:
    """As many rows as the vectors: values that the source does not have are missing."""

    rows: int
    columns: tuple[MetadataColumn, ...] = ()

    @cached_property
    def by_name(self) -> dict[str, MetadataColumn]:
        return {column.name: column for column in self.columns}


@dataclass(frozen=True)
class Thumbnails:
    """One picture with a thumbnail for each row, row by row from the top left."""

    path: Path | None  # or `data`, for an upload
    data: bytes
    width: int  # of one thumbnail
    height: int
    columns: int  # thumbnails beside each other


@dataclass(frozen=True, eq=False)
class Embedding:
    vectors: Vectors
    metadata: Metadata
    thumbnails: Thumbnails | None = None
    bookmarks: bytes = b""  # JSON as TensorBoard saves it
    # Sentences about what does not fit: "the metadata has 4,998 rows for 5,000 points: the last 2 have no labels".
    problems: tuple[str, ...] = ()
