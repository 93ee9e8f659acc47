"""The flags that allow models to run. Nothing else does: a model that a run or a request names is never run."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

DEFAULT_TIMEOUT_SECS = 60.0
DEFAULT_MEMORY_MB = 4096
FORMS = "model.py:function, package.module:function, a model file or an http(s) address"


class AppendModels(argparse.Action):
    """Adds to the models of the same command line; these together replace those of a settings file."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        earlier = getattr(namespace, self.dest)
        is_default = earlier is self.default
        setattr(namespace, self.dest, (*(() if is_default else earlier), *(values or ())))


def add_allow_predict(group: argparse._ActionsContainer, flag: str, purpose: str) -> None:
    group.add_argument(
        flag,
        dest="allow_predict",
        action=AppendModels,
        type=model_names,
        default=(),
        metavar="MODEL,…",
        help=f"{purpose}: {FORMS}; may be given more than once",
    )


def add_limits(group: argparse._ActionsContainer) -> None:
    group.add_argument(
        "--predict_timeout_secs",
        type=positive_secs,
        default=DEFAULT_TIMEOUT_SECS,
        metavar="SECS",
        help=f"how long one call of a model may take (default: {DEFAULT_TIMEOUT_SECS:g})",
    )
    group.add_argument(
        "--predict_memory_mb",
        type=memory_mb,
        default=DEFAULT_MEMORY_MB,
        metavar="MB",
        help=f"how much memory the process of a model may use (default: {DEFAULT_MEMORY_MB})",
    )


def model_names(text: str) -> tuple[str, ...]:
    """Checked at once, so that a typing error is one sentence before the server starts."""
    from seamark.examples.predict.spec import SpecError, parse_model  # only for this flag

    names = tuple(name.strip() for name in text.split(",") if name.strip())
    try:
        for name in names:
            parse_model(name)
    except SpecError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return names


def positive_secs(text: str) -> float:
    try:
        secs = float(text)
    except ValueError:
        secs = 0.0
    if not 0 < secs < 1e6:
        raise argparse.ArgumentTypeError(f"want seconds above 0, got '{text}'")
    return secs


def memory_mb(text: str) -> int:
    if not (text.isdecimal() and int(text) >= 64):
        raise argparse.ArgumentTypeError(f"want a whole number of 64 or more, got '{text}'")
    return int(text)
