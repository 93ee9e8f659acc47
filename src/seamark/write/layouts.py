"""Layouts of charts, from the dictionaries that torch's writer takes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from seamark.kinds.custom_scalars import Category, Chart, Layout, Margin, MarginSeries, Multiline

GROUPED = "add_scalars"  # the category of the charts that add_scalars(one_run=True) asks for


def from_dict(layout: Mapping[str, Mapping[str, Sequence[Any]]]) -> Layout:
    return Layout(
        tuple(
            Category(title, tuple(_chart(name, what) for name, what in charts.items()))
            for title, charts in layout.items()
        )
    )


def one_chart(main_tag: str) -> Layout:
    """Everything below a tag in one chart."""
    lines = Multiline((f"^{re.escape(main_tag)}/.*",))
    return Layout((Category(GROUPED, (Chart(main_tag, lines),)),))


def _chart(title: str, what: Sequence[Any]) -> Chart:
    if len(what) != 2 or what[0] not in ("Multiline", "Margin") or isinstance(what[1], str):
        raise ValueError(f"a chart is ['Multiline' or 'Margin', [tags]]: got {what!r} for {title!r}")
    kind, tags = what
    if kind == "Multiline":
        return Chart(title, Multiline(tuple(tags)))
    if len(tags) != 3:
        raise ValueError(f"a margin chart has three tags, value, lower and upper: got {len(tags)} for {title!r}")
    return Chart(title, Margin((MarginSeries(*tags),)))
