"""Converts torch's layout dictionaries to chart layouts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from seamark.kinds.custom_scalars import Category, Chart, Layout, Margin, MarginSeries, Multiline

GROUPED = "add_scalars"  # the category of the charts of add_scalars(one_run=True)


def from_dict(layout: Mapping[str, Mapping[str, Sequence[Any]]]) -> Layout:
    return Layout(
        tuple(
            Category(title, tuple(_chart(name, spec) for name, spec in charts.items()))
            for title, charts in layout.items()
        )
    )


def one_chart(main_tag: str) -> Layout:
    """A chart of all scalars below a tag."""
    lines = Multiline((f"^{re.escape(main_tag)}/.*",))
    return Layout((Category(GROUPED, (Chart(main_tag, lines),)),))


def _chart(title: str, spec: Sequence[Any]) -> Chart:
    if len(spec) != 2 or spec[0] not in ("Multiline", "Margin") or isinstance(spec[1], str):
        raise ValueError(f"a chart is ['Multiline' or 'Margin', [tags]]: got {spec!r} for {title!r}")
    chart_type, tags = spec
    if chart_type == "Multiline":
        return Chart(title, Multiline(tuple(tags)))
    if len(tags) != 3:
        raise ValueError(f"a margin chart has three tags, value, lower and upper: got {len(tags)} for {title!r}")
    return Chart(title, Margin((MarginSeries(*tags),)))
