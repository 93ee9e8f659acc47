"""Groups of torch's modules: "GPT/ModuleList[h]/Block[5]/Linear[c_proj]", as torch's own tracing names them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from seamark.graphs.grouping import MAX_DEPTH, GroupTable

_FRAME = re.compile(r'File "([^"]{1,1000})", line (\d{1,9})')
# Frames of torch itself, and code that torch generated.
_LIBRARY_FRAME = re.compile(r"[\\/](?:site-packages|dist-packages)[\\/]torch[\\/]|^<")
_SEPARATOR = re.compile(r"[\\/]")
_NOT_IN_TYPE = re.compile(r"\W+")


class ModuleCall(NamedTuple):
    """An entry of the stack of modules that were running."""

    name: str  # "h.5.attn"; "" for the model itself
    type: str  # "my_model.Attention"
    call: str = ""  # "@1" for the second call of the module


class ModulePaths:
    """Paths of groups for names of modules.

    A container such as a ModuleList is never called, so its type is not known.
    """

    def __init__(self, groups: GroupTable) -> None:
        self._groups = groups
        self._types: dict[str, str] = {}
        self._path_of: dict[str, str] = {}

    def learn(self, stack: Iterable[ModuleCall]) -> None:
        """Stores the types of modules. Call it for every node before the first path is made."""
        for call in stack:
            self._types.setdefault(call.name, _short_type(call.type))

    def of_stack(self, stack: Sequence[ModuleCall]) -> str:
        if not stack:
            return self.of_module("")
        return self._make(stack[-1].name, {call.name: call.call for call in stack if call.call})

    def of_module(self, name: str) -> str:
        return self._make(name, {})

    def _make(self, name: str, call_of: dict[str, str]) -> str:
        key = "\0".join([name, *(f"{module}\0{call}" for module, call in call_of.items())])
        found = self._path_of.get(key)
        if found is None:
            found = self._path_of[key] = self._new(name, call_of)
        return found

    def _new(self, name: str, call_of: dict[str, str]) -> str:
        # One part more than there may be, so that the graph states that it was cut.
        parts = name.split(".", MAX_DEPTH + 1)[: MAX_DEPTH + 1] if name else []
        path = self._types.get("", "")
        if path:
            self._groups.describe(path, type=path)
        for depth, part in enumerate(parts, start=1):
            module = ".".join(parts[:depth])
            type = self._types.get(module) or _container_type(parts, depth)
            label = f"{part}{call_of.get(module, '')}"
            path = f"{path}/{type}[{label}]".lstrip("/")
            self._groups.describe(path, label=label, type=type, layer=module)
        return path


def _container_type(parts: Sequence[str], depth: int) -> str:
    is_list = depth < len(parts) and parts[depth].isdigit()
    return "ModuleList" if is_list else "Module"


def _short_type(type: str) -> str:
    return _NOT_IN_TYPE.sub("_", type.rpartition(".")[2])[:200] or "Module"


def source_line(stack_trace: str) -> str:
    """The innermost line that is not torch's own: "model.py:71"; "" if there is none."""
    line = ""
    if not stack_trace:
        return line
    for file, number in _FRAME.findall(stack_trace):
        if not _LIBRARY_FRAME.search(file):
            line = f"{_SEPARATOR.split(file)[-1]}:{number}"
    return line
