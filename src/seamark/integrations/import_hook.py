"""Calls a function when a module is imported, for autolog() calls that precede the imports."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from types import ModuleType
from typing import Any

AfterImport = Callable[[], None]


class AfterImportFinder(importlib.abc.MetaPathFinder):
    """Finds nothing itself: asks the other finders, and calls the hook after the module was executed.

    `hooks` may not raise: an error in one would be an error of the import.
    """

    def __init__(self) -> None:
        self.hooks: dict[str, AfterImport] = {}
        self._searches: set[tuple[int, str]] = set()

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        search = (threading.get_ident(), name)
        # Other finders that delegate call this one again.
        if name not in self.hooks or search in self._searches:
            return None
        self._searches.add(search)
        try:
            found = (find_with(finder, name, path, target) for finder in list(sys.meta_path) if finder is not self)
            spec = next((spec for spec in found if spec is not None), None)
        finally:
            self._searches.discard(search)
        if spec is not None:
            self._follow(spec, name)
        return spec

    def _follow(self, spec: importlib.machinery.ModuleSpec, name: str) -> None:
        """Wraps the loader's exec_module. A loader of our own would hide the module's sources and resources."""
        loader: Any = spec.loader
        execute = getattr(loader, "exec_module", None)
        if execute is None or isinstance(loader, type):
            return

        def exec_module(module: ModuleType) -> None:
            try:
                execute(module)
            finally:
                with suppress(AttributeError):
                    del loader.exec_module
            # Modules of an archive share a loader, and the hook may have been removed meanwhile.
            hook = self.hooks.pop(name, None) if module.__name__ == name else None
            if hook is not None:
                hook()

        with suppress(AttributeError):  # a loader without attributes: the integration stays off
            loader.exec_module = exec_module


def find_with(
    finder: Any, name: str, path: Sequence[str] | None, target: ModuleType | None
) -> importlib.machinery.ModuleSpec | None:
    find = getattr(finder, "find_spec", None)  # old finders have none, and the import system skips them
    return None if find is None else find(name, path, target)


_finder = AfterImportFinder()


def after_import(module: str, hook: AfterImport) -> None:
    """Calls `hook` once, at the next import of `module`."""
    _finder.hooks[module] = hook
    if _finder not in sys.meta_path:
        sys.meta_path.insert(0, _finder)


def cancel(module: str) -> None:
    """Removes the hook of a module, and with the last hook the finder."""
    _finder.hooks.pop(module, None)
    if not _finder.hooks and _finder in sys.meta_path:
        sys.meta_path.remove(_finder)
