"""Wraps functions of libraries, and unwraps them again, for autolog."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

_MISSING = object()


def wrapped(owner: Any, name: str, around: Callable[..., Any]) -> Callable[[], None]:
    """Makes owner.name(…) call around(original, …). Returns a function that restores the original.

    What somebody else put around it in the meantime is left alone: theirs would be lost.
    """
    original = getattr(owner, name)
    # An inherited method must be inherited again afterwards.
    own = vars(owner).get(name, _MISSING)

    @functools.wraps(original)
    def replacement(*args: Any, **options: Any) -> Any:
        # Turned off, but the wrapper of another library still calls this one.
        return around(original, *args, **options) if is_on else original(*args, **options)

    is_on = True
    setattr(owner, name, replacement)

    def undo() -> None:
        nonlocal is_on
        is_on = False
        if vars(owner).get(name) is replacement:
            if own is _MISSING:
                delattr(owner, name)
            else:
                setattr(owner, name, own)

    return undo


def all_of(*undoings: Callable[[], None]) -> Callable[[], None]:
    """Combines several undo functions into one; the last runs first."""

    def undo() -> None:
        for one in reversed(undoings):
            one()

    return undo


def call_with_callback(
    function: Callable[..., Any], args: tuple[Any, ...], options: dict[str, Any], kind: type, make: Callable[[], Any]
) -> Any:
    """Calls function(…) with make() among its `callbacks`, unless there is one of that type. Closes the added one."""
    # Uses the signature: a caller may pass the callbacks by position.
    call = inspect.signature(function).bind_partial(*args, **options)
    given = call.arguments.get("callbacks")
    callbacks = list(given) if isinstance(given, list | tuple | set) else [] if given is None else [given]
    if any(isinstance(callback, kind) for callback in callbacks):
        return function(*args, **options)
    ours = make()
    call.arguments["callbacks"] = [*callbacks, ours]
    try:
        return function(*call.args, **call.kwargs)
    finally:
        if hasattr(ours, "close"):
            ours.close()
