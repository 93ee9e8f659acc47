"""The pictures of an image column, as models get them: the bytes of their files."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from seamark.examples.form import ExampleSet, PredictError
from seamark.examples.predict.frames import Array
from seamark.tables.column import TableError

MAX_PICTURES_BYTES = 1 << 30  # of one column


def read_picture(examples: ExampleSet, name: str) -> bytes | None:
    """None if there is no such picture, or if it cannot be read."""
    if examples.read_picture is None:
        return None
    try:
        return examples.read_picture(name)
    except (TableError, KeyError):
        return None


def pack_pictures(examples: ExampleSet, column: str, names: Sequence[str]) -> tuple[Array, Array]:
    """The bytes of all pictures one after the other, and where each ends; one without bytes is missing."""
    joined = bytearray()
    ends = []
    for name in names:
        joined += read_picture(examples, name) or b""
        if len(joined) > MAX_PICTURES_BYTES:
            raise PredictError(
                f"the pictures of '{column}' have more than {MAX_PICTURES_BYTES >> 20:,} MB, which is too much to send "
                "to a model; ask about fewer rows, or about smaller pictures"
            )
        ends.append(len(joined))
    return np.frombuffer(joined, np.uint8), np.array(ends, np.int64)
