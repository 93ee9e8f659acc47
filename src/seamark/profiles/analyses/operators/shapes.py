"""Shapes of the inputs of operators, from their arguments."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from seamark.profiles.analyses.slices.argument_values import find_input_dims
from seamark.profiles.form import SliceIndices
from seamark.profiles.profile import Profile

# Operators on lists of tensors have hundreds of inputs.
MAX_TEXT = 300


class InputShapes(NamedTuple):
    code: NDArray[np.int64]  # of each slice: position in texts
    texts: list[str]  # "[8, 3, 16, 16], [8]"; "" if the trace does not say it


def find_input_shapes(profile: Profile, slices: SliceIndices) -> InputShapes:
    """Inputs that are no tensors, and those without dimensions, are `[]`. Raises OSError, ProfileError."""
    code, found = find_input_dims(profile, slices)
    return InputShapes(code, [shapes_text(text) for text in found])


def shapes_text(json: bytes) -> str:
    if not json:
        return ""
    try:
        shapes = msgspec.json.decode(json)
        text = ", ".join(shape_text(shape) for shape in shapes) if isinstance(shapes, list) else str(shapes)
    except (msgspec.DecodeError, RecursionError):
        return ""
    return text if len(text) <= MAX_TEXT else f"{text[:MAX_TEXT]}… ({len(shapes)} inputs)"


def shape_text(shape: Any) -> str:
    """A list of tensors has a list of shapes."""
    if isinstance(shape, list):
        return f"[{', '.join(shape_text(part) for part in shape)}]"
    return str(shape)
