"""EmbeddingRef: the name of one embedding."""

from __future__ import annotations

from typing import NamedTuple

from seamark.format.types import RunName


class EmbeddingRef(NamedTuple):
    """Names one embedding.

    `name` is "config:TENSOR" for one of a projector config or checkpoint, "file:PATH" for a file in the run's folder,
    "file:PATH#ARRAY" for one of several in a file, or "upload:ID".
    """

    run: RunName
    name: str
