"""The source line of an equation of a jaxpr."""

from __future__ import annotations

import linecache
import sys
from pathlib import Path
from typing import Any

from seamark.write.encode.graph.source_lines import source_attributes

_LIBRARIES = ("jax", "flax")
_TRACING_FILE = str(Path(__file__).with_name("jax_function.py"))


def source_of(equation: Any) -> dict[str, str]:
    """The innermost line of the traced function outside JAX and flax."""
    traceback = equation.source_info.traceback
    for frame in traceback.frames if traceback is not None else ():
        file = str(frame.file_name)
        if file == _TRACING_FILE:
            break  # the remaining frames called log_graph
        if not file.startswith(_library_folders()):
            return source_attributes(file, frame.line_num, linecache.getline(file, frame.line_num))
    return {}


def _library_folders() -> tuple[str, ...]:
    modules = [sys.modules[name] for name in _LIBRARIES if name in sys.modules]
    return tuple(folder for module in modules for folder in module.__path__)
