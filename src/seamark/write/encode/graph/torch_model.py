"""Nodes of a torch module. Uses the torch that the program has imported, and leaves the module as it was."""

from __future__ import annotations

import logging
import random
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from seamark.format.messages import NodeDef
from seamark.write.encode.graph.torch_export import export_nodes
from seamark.write.encode.graph.torch_output import torch_is_quiet
from seamark.write.encode.graph.torch_trace import trace_nodes
from seamark.write.queue.warn_once import describe_error

_WRAPPER_ATTRIBUTES = {"OptimizedModule": "_orig_mod", "DataParallel": "module", "DistributedDataParallel": "module"}

logger = logging.getLogger(__name__)


def torch_nodes(
    model: Any, args: tuple[Any, ...], kwargs: dict[str, Any], *, verbose: bool, strict: bool
) -> list[NodeDef]:
    """Exports the module, or traces it if torch.export cannot; `strict` is for torch.jit.trace."""
    model = _unwrap(model)
    with _evaluating(model), _random_state():
        try:
            with sys.modules["torch"].no_grad(), torch_is_quiet():
                return export_nodes(model, args, kwargs, verbose=verbose)
        except Exception as error:
            logger.info(
                "seamark: torch.export cannot export %s, torch.jit.trace is used (%s)",
                *(type(model).__name__, describe_error(error)),
            )
        return trace_nodes(model, args, kwargs, verbose=verbose, strict=strict)


def _unwrap(model: Any) -> Any:
    """The module within torch.compile's and the wrappers for several devices."""
    attribute = _WRAPPER_ATTRIBUTES.get(type(model).__name__)
    inner = getattr(model, attribute, None) if attribute else None
    return model if inner is None else _unwrap(inner)


@contextmanager
def _evaluating(model: Any) -> Iterator[None]:
    """Without dropout and changes of batch statistics. Restores the mode of each module.

    `train()` is not called: some modules change their weights in it.
    """
    was_training = [module for module in model.modules() if module.training]
    for module in was_training:
        module.training = False
    try:
        yield
    finally:
        for module in was_training:
            module.training = True


@contextmanager
def _random_state() -> Iterator[None]:
    """Restores the random number generators of Python, NumPy and torch (of the devices in use)."""
    torch, numpy = sys.modules["torch"], sys.modules.get("numpy")
    python_state = random.getstate()
    numpy_state = numpy.random.get_state() if numpy else None
    try:
        with torch.random.fork_rng(devices=range(torch.cuda.device_count()) if torch.cuda.is_initialized() else ()):
            yield
    finally:
        random.setstate(python_state)
        if numpy:
            numpy.random.set_state(numpy_state)
