"""`seamark.autolog()`: turns on the integrations of the libraries that a program has imported."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable, Collection

# Integration → the modules of which one must be loaded. Ignite and CLU are not among them: their loops do not say
# which engine trains and which evaluates, so a logger has to be attached by hand.
LIBRARIES: dict[str, tuple[str, ...]] = {
    "accelerate": ("accelerate",),
    "catboost": ("catboost",),
    "fastai": ("fastai.learner",),
    "keras": ("keras",),
    "lightgbm": ("lightgbm",),
    "lightning": ("lightning.pytorch", "pytorch_lightning"),
    "optuna": ("optuna",),
    "sklearn": ("sklearn",),
    "stable_baselines3": ("stable_baselines3",),
    "transformers": ("transformers.trainer",),
    "xgboost": ("xgboost",),
}
_undo: dict[str, Callable[[], None]] = {}


def autolog(
    log_dir: str | os.PathLike[str] = "runs", *, disable: bool = False, only: Collection[str] | None = None
) -> tuple[str, ...]:
    """Turns on logging into `log_dir` for every supported library that was imported, and names those that are on.

    Call it after the imports; calling it again changes nothing for those that are on and turns on what was imported
    since. `only` names the integrations meant; `disable=True` turns them off again. A logger, tracker or callback of
    Seamark's that the program passes itself is kept and no second one is added.
    """
    unknown = sorted(set(only or ()) - set(LIBRARIES))
    if unknown:
        raise ValueError(f"no such integration: got {unknown}, want some of {sorted(LIBRARIES)}")
    meant = set(LIBRARIES if only is None else only)
    for name in sorted(meant & set(_undo)) if disable else ():
        _undo.pop(name)()
    for name in () if disable else sorted(meant - set(_undo)):
        if any(module in sys.modules for module in LIBRARIES[name]):
            integration = importlib.import_module(f"seamark.integrations.{name}")
            _undo[name] = integration.autolog(os.fspath(log_dir))
    return tuple(sorted(_undo))
