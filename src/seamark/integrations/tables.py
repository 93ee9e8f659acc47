"""Small Markdown tables for the text dashboard."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

# Further rows are cut.
MAX_ROWS = 100


def importance_table(scores: Mapping[str, float]) -> str:
    """Features by importance, the most important first."""
    ranked = sorted(scores.items(), key=lambda item: -item[1])
    rows = [(name, f"{score:.6g}") for name, score in ranked[:MAX_ROWS]]
    left_out = len(ranked) - len(rows)
    return markdown_table(("feature", "importance"), rows) + (f"\n\n{left_out} more" if left_out else "")


def markdown_table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(map(cell, line))} |" for line in lines)


def cell(value: object) -> str:
    """Escapes bars and line breaks: names come from data."""
    return str(value).replace("\\", "\\\\").replace("|", "\\|").replace("\n", " ")
