"""Draws one tag of some runs as SVG, for a file that has to show its charts without a server and on paper."""

from __future__ import annotations

import html
import math
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

import numpy as np
from numpy.typing import NDArray

from seamark.format.types import RunName, Tag
from seamark.store import RunStore, ScalarWindow
from seamark.team.together.blocks import ChartBlock

WIDTH, HEIGHT = 720, 320
LEFT, RIGHT, TOP, BOTTOM = 64, 12, 12, 36
MAX_POINTS = 600
TICKS = 5
MAX_LEGEND = 12
Values = NDArray[np.float64]


def chart_svg(store: RunStore, runs: Sequence[RunName], tag: str, block: ChartBlock, *, colours: int) -> str:
    """ "" if no run has the tag. The style of the page has a class for each colour: c0, c1 and so on."""
    window = store.scalars(list(runs), Tag(tag), axis=block.axis, max_points=MAX_POINTS, smoothing=block.smoothing)
    lines = [(run, *curve(window, run, block)) for run in window.runs]
    lines = [line for line in lines if len(line[1])]
    if not lines:
        return ""
    x_range = span(np.concatenate([x for _, x, _, _ in lines]))
    y_range = span(np.concatenate([part for _, _, raw, smooth in lines for part in (raw, smooth)]))
    colour_of = {run: f"c{index % colours}" for index, run in enumerate(runs)}
    parts = [*grid(x_range, y_range, block.axis)]
    for run, x, raw, smooth in lines:
        if block.smoothing:
            parts += paths(x, raw, x_range, y_range, colour_of[run], opacity=0.25)
        parts += paths(x, smooth, x_range, y_range, colour_of[run])
    legend = "".join(
        f'<li><svg width="14" height="8" aria-hidden="true"><path d="M0 4H14" class="{colour_of[run]}" '
        f'stroke-width="2"/></svg> {html.escape(run)}</li>'
        for run, *_ in lines[:MAX_LEGEND]
    )
    more = f"<li>and {len(lines) - MAX_LEGEND} more runs</li>" if len(lines) > MAX_LEGEND else ""
    label = html.escape(f"{tag} of {len(lines)} runs", quote=True)
    return (
        f'<figure><figcaption>{html.escape(tag)}</figcaption><svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="{label}">{"".join(parts)}</svg><ul class="legend">{legend}{more}</ul></figure>'
    )


def curve(window: ScalarWindow, run: RunName, block: ChartBlock) -> tuple[Values, Values, Values]:
    """Positions, values, and the values to emphasize."""
    rows = window.rows(run)
    wall = window.wall_last[rows]
    if block.axis == "step":
        x = window.step_last[rows].astype(np.float64)
    else:
        x = wall - (wall[0] if block.axis == "relative" and len(wall) else 0.0)
    raw = window.mean[rows]
    return x, raw, raw if window.smoothed is None else window.smoothed[rows]


def span(values: Values) -> tuple[float, float]:
    """Of the finite values, with some room if all are equal."""
    finite = values[np.isfinite(values)]
    low, high = (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 1.0)
    room = 0.0 if high > low else abs(high) * 0.1 or 1.0
    return low - room, high + room


def paths(
    x: Values, y: Values, x_range: tuple[float, float], y_range: tuple[float, float], colour: str, opacity: float = 1.0
) -> Iterator[str]:
    """A line with gaps where values are not finite. A point alone is a dot."""
    left = LEFT + (x - x_range[0]) / (x_range[1] - x_range[0]) * (WIDTH - LEFT - RIGHT)
    top = HEIGHT - BOTTOM - (y - y_range[0]) / (y_range[1] - y_range[0]) * (HEIGHT - TOP - BOTTOM)
    text, is_open = [], False
    for at, down in zip(left.tolist(), top.tolist(), strict=True):
        is_finite = math.isfinite(at) and math.isfinite(down)
        if is_finite:
            text.append(f"{'L' if is_open else 'M'}{at:.1f} {down:.1f}" + ("" if is_open else "h0"))
        is_open = is_finite
    yield (
        f'<path d="{"".join(text)}" fill="none" class="{colour}" stroke-opacity="{opacity:g}" stroke-width="1.5" '
        'stroke-linecap="round" stroke-linejoin="round"/>'
    )


def grid(x_range: tuple[float, float], y_range: tuple[float, float], axis: str) -> Iterator[str]:
    for value in ticks(*y_range):
        down = HEIGHT - BOTTOM - (value - y_range[0]) / (y_range[1] - y_range[0]) * (HEIGHT - TOP - BOTTOM)
        yield f'<path d="M{LEFT} {down:.1f}H{WIDTH - RIGHT}" stroke="currentColor" stroke-opacity=".15"/>'
        yield f'<text x="{LEFT - 6}" y="{down + 4:.1f}" text-anchor="end">{value:g}</text>'
    for value in ticks(*x_range):
        at = LEFT + (value - x_range[0]) / (x_range[1] - x_range[0]) * (WIDTH - LEFT - RIGHT)
        yield f'<text x="{at:.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{axis_text(value, axis)}</text>'
    name = {"step": "step", "relative": "seconds", "wall": "time (UTC)"}[axis]
    yield f'<text x="{WIDTH - RIGHT}" y="{HEIGHT - 4}" text-anchor="end">{name}</text>'


def ticks(low: float, high: float) -> list[float]:
    """Round numbers inside a range."""
    step = 10.0 ** math.floor(math.log10((high - low) / TICKS))
    step *= next((factor for factor in (1, 2, 5) if (high - low) / (step * factor) <= TICKS), 10)
    first = math.ceil(low / step)
    return [round(index * step, 12) for index in range(first, math.floor(high / step) + 1)]


def axis_text(value: float, axis: str) -> str:
    if axis == "wall":
        return datetime.fromtimestamp(value, UTC).strftime("%m-%d %H:%M")
    return f"{value:,.0f}" if value == round(value) else f"{value:g}"
