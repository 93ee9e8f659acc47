"""Uses of a private name outside the module that defines it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path

from tools.layers.python_imports import Module
from tools.layers.rules import ALLOWED_PRIVATE_USES
from tools.layers.violation import Violation

PRIVATE_NAME = re.compile(r"_(?!_)\w+")
OWN_NAMES = {"self", "cls", "super"}


def private_uses(root: Path, module: Module) -> Iterator[Violation]:
    """`x._name` where `x` is not the object itself and this module does not define `_name`, and imports of `_name`."""
    own = set(defined_names(module.tree))
    path = module.path.relative_to(root).as_posix()
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Attribute) and is_foreign(node) and node.attr not in own:
            used = ast.unparse(node)
            if not any(fnmatchcase(used, allowed) for allowed in ALLOWED_PRIVATE_USES):
                yield Violation(path, node.lineno, f"'{used}' is private to another module")
        elif isinstance(node, ast.ImportFrom) and (node.module or "seamark").startswith("seamark"):
            for name in (alias.name for alias in node.names):
                if is_private(name) and name != "_core":
                    yield Violation(path, node.lineno, f"'{name}' is private to '{node.module or module.package}'")


def is_private(name: str) -> bool:
    return PRIVATE_NAME.fullmatch(name) is not None


def is_foreign(node: ast.Attribute) -> bool:
    owner = node.value.func if isinstance(node.value, ast.Call) else node.value
    is_own = isinstance(owner, ast.Name) and owner.id in OWN_NAMES
    return is_private(node.attr) and not is_own and ast.unparse(node) != "seamark._core"


def defined_names(tree: ast.Module) -> Iterator[str]:
    """The functions, classes, variables, attributes and slots that a module defines."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and not is_foreign(node):
            yield node.attr
        elif isinstance(node, ast.Assign) and "__slots__" in map(ast.unparse, node.targets):
            yield from ast.literal_eval(node.value)
