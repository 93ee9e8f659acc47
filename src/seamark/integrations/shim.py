"""`from torch.utils.tensorboard import SummaryWriter` gives Seamark's writer, whether or not TensorBoard is installed.

Off unless asked for: by `seamark.install_shim()` before that import, or by SEAMARK_SHIM=1 in the environment, which
seamark_shim.pth looks at when an interpreter starts. Nothing is loaded here until a program imports one of the modules.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import os
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import Any

VARIABLE = "SEAMARK_SHIM"
TORCH, TENSORBOARDX = "torch.utils.tensorboard", "tensorboardX"
# Module of the replaced packages → its names and their targets.
_WRITERS = {
    "SummaryWriter": "seamark.write.writer.file_writer:SummaryWriter",
    "FileWriter": "seamark.write.writer.file_writer:FileWriter",
    "RecordWriter": "seamark.write.writer.file_writer:RecordWriter",
}
_SUMMARY = {"hparams": "seamark.write.writer.file_writer:hparams"}
_MODULES = {
    TORCH: _WRITERS,
    f"{TORCH}.writer": _WRITERS,
    f"{TORCH}.summary": _SUMMARY,
    TENSORBOARDX: _WRITERS,
    f"{TENSORBOARDX}.writer": _WRITERS,
    f"{TENSORBOARDX}.summary": _SUMMARY,
}


def install_shim(*, tensorboardX: bool = True) -> None:  # noqa: N803  # the name of the package
    """Replaces `torch.utils.tensorboard`, and `tensorboardX` unless disabled, with Seamark's writer.

    Call it before the import: a SummaryWriter that a program has got hold of stays what it is. Calling it again is
    harmless.
    """
    wanted = {TORCH, TENSORBOARDX} if tensorboardX else {TORCH}
    finder = next((finder for finder in sys.meta_path if isinstance(finder, ShimFinder)), None)
    if finder is None:
        finder = ShimFinder()
        sys.meta_path.insert(0, finder)
    for package in wanted - finder.packages:
        finder.packages.add(package)
        _forget(package)


def uninstall_shim() -> None:
    """Removes the shim: the next import finds the installed packages."""
    for finder in [finder for finder in sys.meta_path if isinstance(finder, ShimFinder)]:
        sys.meta_path.remove(finder)
        for package in finder.packages:
            _forget(package)


def install_if_asked() -> None:
    """Called by the .pth file."""
    if os.environ.get(VARIABLE, "0") not in ("", "0"):
        install_shim()


class ShimFinder(importlib.abc.MetaPathFinder):
    """A finder in front of all others, for the replaced packages only."""

    def __init__(self) -> None:
        self.packages: set[str] = set()
        self._is_looking = False

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        package = next(
            (package for package in self.packages if name == package or name.startswith(f"{package}.")), None
        )
        if package is None or name not in _MODULES or self._is_looking:
            return None
        spec = importlib.machinery.ModuleSpec(name, ShimLoader(), origin="seamark", is_package=name == package)
        if name == package:
            # Other modules (torch.utils.tensorboard._pytorch_graph …) are found in the installed package.
            spec.submodule_search_locations = self._real_locations(name)
        return spec

    def _real_locations(self, name: str) -> list[str]:
        self._is_looking = True
        try:
            real = importlib.util.find_spec(name) if name not in sys.modules else None
        except (ImportError, ValueError):
            real = None
        finally:
            self._is_looking = False
        return list(real.submodule_search_locations or ()) if real is not None else []


class ShimLoader(importlib.abc.Loader):
    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        return ShimModule(spec.name, "Seamark in place of TensorBoard's writer; see seamark.install_shim.")

    def exec_module(self, module: ModuleType) -> None:
        module.__dict__["__all__"] = sorted(_MODULES[module.__name__])


class ShimModule(ModuleType):
    """Loads the writer when one of its names is used, so that checking for tensorboardX costs nothing."""

    def __getattr__(self, name: str) -> Any:
        names = _MODULES[self.__name__]
        place = names.get(name)
        if place is None:
            here = self.__name__
            raise AttributeError(f"'{here}' is Seamark's shim: got '{name}', want one of {', '.join(names)}")
        module, _, attribute = place.partition(":")
        value = getattr(importlib.import_module(module), attribute)
        setattr(self, name, value)
        return value


def _forget(package: str) -> None:
    """Removes a package from sys.modules and from its parent, so that the next import finds it again."""
    for name in [name for name in sys.modules if name == package or name.startswith(f"{package}.")]:
        del sys.modules[name]
    parent, _, child = package.rpartition(".")
    if parent in sys.modules:
        vars(sys.modules[parent]).pop(child, None)
