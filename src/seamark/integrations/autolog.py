"""`seamark.autolog()`: turns on the integrations of the libraries that a program imports, before the call or later."""

from __future__ import annotations

import functools
import importlib
import logging
import os
import sys
from collections.abc import Callable, Collection

from seamark.integrations import import_hook

logger = logging.getLogger(__name__)

# Integration → modules, one of which must be loaded. Ignite and CLU are missing: their loops do not tell training from
# evaluation, so a logger has to be attached by hand.
LIBRARIES: dict[str, tuple[str, ...]] = {
    "accelerate": ("accelerate",),
    "catboost": ("catboost",),
    "fastai": ("fastai.learner",),
    "keras": ("keras",),
    "lightgbm": ("lightgbm",),
    "lightning": ("lightning.pytorch", "pytorch_lightning"),
    "optuna": ("optuna",),
    "sklearn": ("sklearn.model_selection",),
    "stable_baselines3": ("stable_baselines3",),
    "transformers": ("transformers.trainer",),
    "xgboost": ("xgboost",),
}
_undo: dict[str, Callable[[], None]] = {}


def autolog(
    log_dir: str | os.PathLike[str] = "runs", *, disable: bool = False, only: Collection[str] | None = None
) -> tuple[str, ...]:
    """Turns on logging into `log_dir` for every supported library, and names those that are on now.

    A library that is imported later is turned on by its import. Calling it again changes nothing for those that are on.
    `only` names the integrations meant; `disable=True` turns them off again. A logger, tracker or callback of Seamark's
    that the program passes itself is kept and no second one is added.
    """
    unknown = sorted(set(only or ()) - set(LIBRARIES))
    if unknown:
        raise ValueError(f"no such integration: got {unknown}, want some of {sorted(LIBRARIES)}")
    meant = set(LIBRARIES if only is None else only)
    for name in sorted(meant):
        if disable:
            _turn_off(name)
        elif name not in _undo:
            _turn_on_when_imported(name, os.fspath(log_dir))
    return tuple(sorted(_undo))


def _turn_on_when_imported(name: str, log_dir: str) -> None:
    if any(sys.modules.get(module) is not None for module in LIBRARIES[name]):
        _turn_on(name, log_dir)
        return
    for module in LIBRARIES[name]:
        import_hook.after_import(module, functools.partial(_turn_on_by_import, name, log_dir))


def _turn_on(name: str, log_dir: str) -> None:
    _cancel_hooks(name)
    _undo[name] = importlib.import_module(f"seamark.integrations.{name}").autolog(log_dir)


def _turn_on_by_import(name: str, log_dir: str) -> None:
    """An integration that fails, for example with an old library, must not break the import."""
    try:
        _turn_on(name, log_dir)
    except Exception as error:
        logger.warning("seamark: autolog cannot log %s (%s: %s)", name, type(error).__name__, error)


def _turn_off(name: str) -> None:
    _cancel_hooks(name)
    if name in _undo:
        _undo.pop(name)()


def _cancel_hooks(name: str) -> None:
    for module in LIBRARIES[name]:
        import_hook.cancel(module)
