"""The step at which curves diverge, as text for tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from seamark.compare.diff.metric_diff import MetricRow


def divergence_text(row: MetricRow) -> str:
    if row.divergence is None:
        return row.note or "nowhere"
    return f"at step {row.divergence.step:,}" + (f" ({row.divergence.run})" if len(row.divergences) > 2 else "")
