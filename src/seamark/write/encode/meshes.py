"""Encodes meshes as torch's writer accepts them: colours up to 1 or up to 255."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seamark.format.messages import Summary
from seamark.kinds import mesh

Parts = Sequence[NDArray[Any] | None]  # vertices, colours, faces


def check(parts: Parts) -> None:
    for name, part in zip(("vertices", "colors", "faces"), parts, strict=True):
        if part is not None and (part.ndim not in (2, 3) or part.shape[-1] != 3):
            raise ValueError(f"{name} of a mesh have the wrong shape: got {list(part.shape)}, want [batch, n, 3]")


def copy_config(config: Mapping[str, Any] | None) -> dict[str, Any]:
    """Raises TypeError for what JSON cannot hold."""
    copied: dict[str, Any] = json.loads(json.dumps(config or {}))
    return copied


def encode(tag: str, parts: Parts, config: Mapping[str, Any]) -> list[Summary.Value]:
    vertices, colors, faces = parts
    assert vertices is not None
    # Viewers expect bytes: fractions would all be black.
    if colors is not None and colors.dtype.kind == "f" and colors.size and colors.max() <= 1:
        colors = np.round(colors * 255)
    return mesh.encode(tag, vertices, faces=faces, colors=colors, config=config)
