"""The imports between Seamark's Python modules, and those that the layer table forbids."""

from __future__ import annotations

import ast
import re
from collections.abc import Container, Iterator
from dataclasses import dataclass
from pathlib import Path

from tools.layers.rules import LAYER_OF_MODULE, LAZY_IMPORTS, PYTHON_LAYERS, SHARED_DASHBOARDS, may_import
from tools.layers.violation import Violation

NATIVE_MODULE = "seamark._core"
ABSOLUTE_NAME = re.compile(r"seamark(?:\.\w+)+(?::\w+)?")


@dataclass(frozen=True)
class Import:
    line: int
    target: str
    """The dotted name as written: a module, or a name in a module."""
    is_lazy: bool = False
    """True for a module that is named in a string."""


@dataclass(frozen=True)
class Module:
    name: str
    path: Path
    is_package: bool
    tree: ast.Module

    @property
    def package(self) -> str:
        return self.name if self.is_package else self.name.rpartition(".")[0]

    @property
    def layer(self) -> str:
        return python_layer(self.name)


def python_modules(root: Path) -> dict[str, Module]:
    """All modules that ship, by dotted name."""
    source = root / "src"
    modules = {}
    for path in sorted((source / "seamark").rglob("*.py")):
        if is_test(path):
            continue  # a test may import several layers
        parts = path.relative_to(source).with_suffix("").parts
        is_package = parts[-1] == "__init__"
        name = ".".join(parts[:-1] if is_package else parts)
        modules[name] = Module(name, path, is_package, ast.parse(path.read_text(encoding="utf-8"), str(path)))
    return modules


def is_test(path: Path) -> bool:
    return path.name.startswith("test_") or path.name == "conftest.py"


def python_layer(name: str) -> str:
    """The first component below seamark; the package's own __init__ is the layer 'seamark'."""
    _, _, below = name.partition(".")
    layer = below.split(".")[0] or "seamark"
    return LAYER_OF_MODULE.get(layer, layer)


def imports_of(module: Module) -> Iterator[Import]:
    """Every import of one of our modules: at the top, in a function, under TYPE_CHECKING, or in a string."""
    for node in ast.walk(module.tree):
        for target in imported_names(node, module.package):
            if target.split(".")[0] == "seamark":
                yield Import(node.lineno, target)  # type: ignore[attr-defined]
    yield from lazy_imports(module)


def imported_names(node: ast.AST, package: str) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        parents = package.split(".")
        base = parents[: len(parents) - node.level + 1] if node.level else []
        base += [node.module] if node.module else []
        # `from seamark import store` names a module in the list of names.
        yield from (".".join([*base, alias.name]) for alias in node.names)


def lazy_imports(module: Module) -> Iterator[Import]:
    documentation = set(docstrings(module.tree))
    for node in ast.walk(module.tree):
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or node in documentation:
            continue
        if ABSOLUTE_NAME.fullmatch(node.value):
            yield Import(node.lineno, node.value.partition(":")[0], is_lazy=True)
    for line, value in lazy_exports(module):
        if not value.startswith("seamark."):
            yield Import(line, f"{module.package}.{value.partition(':')[0]}", is_lazy=True)


def docstrings(tree: ast.Module) -> Iterator[ast.AST]:
    return (node.value for node in ast.walk(tree) if isinstance(node, ast.Expr))


def lazy_exports(module: Module) -> Iterator[tuple[int, str]]:
    """The lines and values of the tables of a package that loads its exports in `__getattr__`."""
    body = module.tree.body
    is_lazy = any(isinstance(node, ast.FunctionDef) and node.name == "__getattr__" for node in body)
    for node in body if is_lazy and module.is_package else ():
        if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Dict):
            values = (value for value in node.value.values if isinstance(value, ast.Constant))
            yield from ((value.lineno, value.value) for value in values if isinstance(value.value, str))


def imported_module(imported: Import, modules: Container[str]) -> str | None:
    """The module that an import loads: the named one, or the one that defines the name."""
    target, parent = imported.target, imported.target.rpartition(".")[0]
    if target in modules:
        return target
    is_module_name = imported.is_lazy or target.startswith(NATIVE_MODULE)
    return parent if parent in modules and not is_module_name else None


def import_graph(modules: dict[str, Module]) -> dict[str, set[str]]:
    """Each module's imports. Importing a name from a package counts as importing the package's __init__."""
    graph: dict[str, set[str]] = {name: set() for name in modules}
    for name, module in modules.items():
        targets = (imported_module(each, modules) for each in imports_of(module))
        graph[name] = {target for target in targets if target is not None and target != name}
    return graph


def layer_violations(root: Path, modules: dict[str, Module]) -> Iterator[Violation]:
    for module in modules.values():
        path = module.path.relative_to(root).as_posix()
        if module.layer not in PYTHON_LAYERS:
            reason = f"'{module.layer}' is not a layer; add it to tools/layers/rules.py or move the file"
            yield Violation(path, 1, reason)
            continue
        for each in imports_of(module):
            if each.is_lazy and imported_module(each, modules) is None:
                continue  # a string that looks like a module's name
            reason = why_forbidden(module.name, each)
            if reason:
                yield Violation(path, each.line, reason)


def why_forbidden(importer: str, imported: Import) -> str:
    """The broken rule as a sentence, or nothing."""
    target = imported.target
    here, there = python_layer(importer), python_layer(target)
    if there == "seamark" or (target.count(".") == 1 and there not in PYTHON_LAYERS):
        return ""  # a name in the package itself
    if here == there:
        return why_forbidden_dashboard(importer, target) if here == "dashboards" else ""
    if imported.is_lazy and there in LAZY_IMPORTS.get(here, ()):
        return ""
    return "" if may_import(PYTHON_LAYERS[here], there) else f"'{here}' must not import '{there}'"


def why_forbidden_dashboard(importer: str, target: str) -> str:
    pair = (dashboard_of(importer), dashboard_of(target))
    if "" in pair or pair[0] == pair[1] or pair in SHARED_DASHBOARDS:
        return ""
    return f"the dashboard '{pair[0]}' must not import the dashboard '{pair[1]}'"


def dashboard_of(name: str) -> str:
    return [*name.split("."), "", ""][2]
