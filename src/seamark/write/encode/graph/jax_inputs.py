"""The inputs of a JAX function: names of its arguments, and parameters, which are the leaves of the first one."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

_PARAMETERS = "params"  # flax's key of the parameters
_VARIABLE_VALUE = "value"  # the attribute of a variable in flax.nnx that has its array


@dataclass(frozen=True)
class InputName:
    op: str
    scope: str
    own: str


def unbind_arrays(function: Callable[..., Any], args: tuple[Any, ...]) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """Makes the arrays of a module that is a tree of them (flax.nnx, Equinox) the first argument of its call.

    Otherwise they would be constants, and a module that changes itself would keep what only stands for arrays.
    """
    tree = sys.modules["jax"].tree_util
    leaves, structure = tree.tree_flatten(function)
    arrays = {
        "/".join(path).removesuffix(f"/{_VARIABLE_VALUE}"): index
        for index, (path, leaf) in enumerate(zip(leaf_paths(function), leaves, strict=True))
        if leaf is not function and hasattr(leaf, "shape") and hasattr(leaf, "dtype")
    }
    if not arrays:
        return function, args

    def call(parameters: dict[str, Any], *args: Any, **kwargs: Any) -> Any:
        replaced = list(leaves)
        for name, index in arrays.items():
            replaced[index] = parameters[name]
        return tree.tree_unflatten(structure, replaced)(*args, **kwargs)

    call.__signature__ = _signature_with(type(function).__name__, function)  # type: ignore[attr-defined]
    return call, ({name: leaves[index] for name, index in arrays.items()}, *args)


def untrained_arrays(function: Any) -> frozenset[str]:
    """The names of arrays of a flax.nnx module that no optimizer changes: running averages, states of generators."""
    nnx = sys.modules.get("flax.nnx")
    if nnx is None:
        return frozenset()
    entries = sys.modules["jax"].tree_util.tree_flatten_with_path(
        function, is_leaf=lambda leaf: isinstance(leaf, nnx.Variable)
    )[0]
    is_other = [isinstance(leaf, nnx.Variable) and not isinstance(leaf, nnx.Param) for _, leaf in entries]
    paths = ("/".join(_key(entry) for entry in path) for path, _ in entries)
    return frozenset(path for path, is_other in zip(paths, is_other, strict=True) if is_other)


def input_names(
    function: Any, args: tuple[Any, ...], kwargs: dict[str, Any], untrained: Collection[str] = ()
) -> list[InputName]:
    """In the order of the function's jaxpr."""
    # flax.linen keeps parameters and running averages apart, by the first key.
    has_collections = bool(args) and isinstance(args[0], Mapping) and _PARAMETERS in args[0]
    arguments = _argument_names(function, len(args))
    found = []
    for place, argument, *keys in leaf_paths((args, kwargs)):
        name = arguments[int(argument)] if place == "0" else argument
        if keys and name == arguments[0]:
            names = keys if keys[0] == _PARAMETERS and len(keys) > 1 else [name, *keys]
            # A key of Haiku is a path itself.
            parts = [part for key in names for part in key.split("/") if part]
            is_untrained = keys[0] in untrained or (has_collections and keys[0] != _PARAMETERS)
            found.append(InputName("Buffer" if is_untrained else "Parameter", "/".join(parts[:-1]), parts[-1]))
        else:
            found.append(InputName("Input", "input", ".".join([name, *keys])))
    return found


def leaf_paths(tree: Any) -> list[list[str]]:
    """The keys, indexes and attributes that lead to each leaf."""
    found = sys.modules["jax"].tree_util.tree_flatten_with_path(tree)[0]
    return [[_key(entry) for entry in path] for path, _ in found]


def _argument_names(function: Any, count: int) -> list[str]:
    try:
        names = list(inspect.signature(function).parameters)
    except (TypeError, ValueError):  # a built-in function
        names = []
    return [*names, *(f"argument_{number}" for number in range(len(names), max(count, 1)))]


def _signature_with(first: str, function: Any) -> inspect.Signature:
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    names = [first, *_argument_names(function, 0)]
    return inspect.Signature([inspect.Parameter(name, kind) for name in names])


def _key(entry: Any) -> str:
    for attribute in ("key", "idx", "name"):
        if hasattr(entry, attribute):
            return str(getattr(entry, attribute))
    return str(entry)
