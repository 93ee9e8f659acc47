"""The modules of a torch model: the groups of a graph, and the owners of tensors."""

from __future__ import annotations

from typing import Any

from seamark.write.encode.graph.nodes import segment


class ModuleScopes:
    """The group of each module: `GPT/ModuleList[h]/Block[5]/Linear[c_proj]` for `h.5.c_proj`."""

    def __init__(self, model: Any) -> None:
        first_paths: dict[int, str] = {}
        self._first_paths: dict[str, str] = {}
        self._scopes: dict[str, str] = {}
        for path, module in model.named_modules(remove_duplicate=False):
            self._first_paths[path] = first_paths.setdefault(id(module), path)
            above, _, own = path.rpartition(".")
            title = segment(f"{type(module).__name__}[{own}]" if path else type(module).__name__)
            self._scopes[path] = f"{self._scopes[above]}/{title}" if path else title

    def first_path(self, path: str) -> str:
        """The path under which a module was registered first; a module outside the model belongs to the model."""
        while path not in self._first_paths:
            path = path.rpartition(".")[0]
        return self._first_paths[path]

    def of(self, path: str) -> str:
        return self._scopes[self.first_path(path)]


def tensors_by_owner(model: Any) -> dict[str, list[str]]:
    """All names of each parameter and buffer, by each of its names; more than one where modules share it."""
    names: dict[int, list[str]] = {}
    found: dict[str, list[str]] = {}
    for tensors in (model.named_parameters, model.named_buffers):
        for name, tensor in tensors(remove_duplicate=False):
            found[name] = names.setdefault(id(tensor), [])
            found[name].append(name)
    return found
