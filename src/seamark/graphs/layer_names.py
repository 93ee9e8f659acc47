"""Which logged tags belong to a layer: those whose name has the layer's path at its end, or one part before it."""

from __future__ import annotations

import re
from collections.abc import Iterable

SEPARATOR = re.compile(r"[./]")
# Parts that a tag may have before and after the layer's path: "gradients/module.h.5.attn.weight".
MAX_BEFORE = 4
MAX_AFTER = 1


class LayerTags:
    """Tags by the layer that they name. A tag is a pair of kind and name."""

    def __init__(self, tags: Iterable[tuple[str, str]]) -> None:
        self._tags: dict[tuple[str, ...], list[tuple[str, str]]] = {}
        for kind, tag in tags:
            parts = tuple(SEPARATOR.split(tag))
            for after in range(min(MAX_AFTER, len(parts) - 1) + 1):
                end = len(parts) - after
                for start in range(min(MAX_BEFORE, end - 1) + 1):
                    self._tags.setdefault(parts[start:end], []).append((kind, tag))

    def of(self, layer: str) -> list[tuple[str, str]]:
        """The tags of a layer: those of its own first, then those of its weights."""
        found = self._tags.get(tuple(SEPARATOR.split(layer)), []) if layer else []
        return list(dict.fromkeys(found))
