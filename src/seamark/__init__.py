"""Seamark: see what a training run is doing."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from seamark.write.summary_writer import SummaryWriter as SummaryWriter

__version__ = "0.1.0"

# Public name → "module:attribute", or the module itself. Loaded on first use: `import seamark` costs next to nothing.
_LAZY = {
    "SummaryWriter": "seamark.write.summary_writer:SummaryWriter",
}


def __getattr__(name: str) -> Any:
    place = _LAZY.get(name)
    if place is None:
        raise AttributeError(f"module 'seamark' has no attribute {name!r}; it has {', '.join(sorted(_LAZY))}")
    module, _, attribute = place.partition(":")
    found = import_module(module)
    value = getattr(found, attribute) if attribute else found
    globals()[name] = value  # the next look-up does not come here
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY})
