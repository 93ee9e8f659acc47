"""Shapes and types as text, as the page and the command write them."""

from __future__ import annotations

from seamark.graphs.form import Shape

SHORT_DTYPES = {"float32": "fp32", "float64": "fp64", "float16": "fp16", "bfloat16": "bf16"}


def shape_text(shape: Shape | None) -> str:
    """ "8×1024×768", "scalar" for rank 0, "?" for a size that is not known, "" for an unknown shape."""
    if shape is None:
        return ""
    return "×".join("?" if size < 0 else str(size) for size in shape) or "scalar"


def dtype_text(dtype: str) -> str:
    return SHORT_DTYPES.get(dtype, dtype)
