"""Scalars for the browser tests, and the cards that show them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike
from playwright.sync_api import Locator, Page

from seamark._core import encode_file_version, encode_scalars

BEGAN = 1_700_000_000.0


def write_run(
    folder: Path, series: Mapping[str, ArrayLike], *, steps: ArrayLike | None = None, began: float = BEGAN
) -> None:
    """One event file with these values, a second apart; by default at steps 0, 1, 2 …."""
    columns = [np.asarray(values, np.float64) for values in series.values()]
    counts = [np.arange(len(values)) for values in columns]
    tag_index = np.concatenate([np.full(len(values), number, np.uint32) for number, values in enumerate(columns)])
    at = np.concatenate(counts if steps is None else [np.asarray(steps)] * len(columns)).astype(np.int64)
    walls = began + np.concatenate(counts).astype(np.float64)
    body = encode_scalars([tag.encode() for tag in series], tag_index, at, walls, np.concatenate(columns))
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"events.out.tfevents.{began:.0f}.host").write_bytes(encode_file_version(began) + body)


def card(page: Page, tag: str) -> Locator:
    return page.get_by_role("article", name=tag, exact=True)


def tool(page: Page, tag: str, name: str) -> Locator:
    card(page, tag).first.hover()
    return card(page, tag).first.get_by_role("button", name=name, exact=True)


def overlay(page: Page, tag: str) -> Locator:
    return card(page, tag).locator(".pointer-overlay")


def drag(page: Page, tag: str, from_share: float, to_share: float, *, keys: str = "") -> None:
    """Along x, by shares of the chart's box."""
    box = overlay(page, tag).bounding_box()
    assert box is not None
    y = box["y"] + box["height"] / 2
    if keys:
        page.keyboard.down(keys)
    page.mouse.move(box["x"] + box["width"] * from_share, y)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * to_share, y + 2, steps=5)
    page.mouse.up()
    if keys:
        page.keyboard.up(keys)


def tip_cells(page: Page) -> Locator:
    """The first row: run, smoothed if there is smoothing, value, step, time."""
    return page.get_by_role("tooltip").locator("tbody tr").first.locator("td")
