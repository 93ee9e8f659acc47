"""The examples in docs/integrations.md, run as they stand."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

DOCS = Path(__file__).resolve().parents[2] / "docs" / "integrations.md"


def example(library: str) -> str:
    """The first Python block below the heading of that library."""
    found = re.search(
        rf"^## {re.escape(library)}\n.*?```python\n(.*?)```", DOCS.read_text("utf-8"), re.DOTALL | re.MULTILINE
    )
    assert found, f"docs/integrations.md has no example for {library}"
    return found[1]


def run(library: str, **names: Any) -> dict[str, Any]:
    """Runs the example with these names defined, which it takes from the reader's own program; gives back all names."""
    space = dict(names)
    exec(compile(example(library), f"docs/integrations.md, {library}", "exec"), space)
    return space
