"""The HParams page as its tests take hold of it."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Locator, Page, expect

from tests.e2e.links import link_of
from tests.e2e.trial_logs import Made

TRIALS = 40
# A thousand event files are read first.
TIMEOUT_MS = 30_000


def grid(page: Page) -> Locator:
    return page.get_by_role("grid", name="Trials")


def rows(page: Page) -> Locator:
    return grid(page).locator("[role=rowgroup] [role=row]")


def row(page: Page, name: str) -> Locator:
    return rows(page).filter(has=page.get_by_text(name, exact=True))


def has_rows(page: Page, count: int) -> None:
    expect(grid(page)).to_have_attribute("aria-rowcount", str(count + 1), timeout=TIMEOUT_MS)


def column_of(page: Page, title: str) -> list[str]:
    """The words of a column in the rows on screen, by its place in the header."""
    head = grid(page).get_by_role("columnheader").filter(has=page.get_by_text(title, exact=True))
    place = head.get_attribute("aria-colindex")
    return rows(page).locator(f"[aria-colindex='{place}']").all_inner_texts()


def has_column(page: Page, title: str, words: list[str]) -> None:
    """Waits until the rows on screen have these words in a column."""
    head = grid(page).get_by_role("columnheader").filter(has=page.get_by_text(title, exact=True))
    place = head.get_attribute("aria-colindex")
    expect(rows(page).locator(f"[aria-colindex='{place}']")).to_have_text(words, use_inner_text=True)


def number_of(text: str) -> float:
    return float(text.replace(",", "").replace("−", "-"))


def parallel(page: Page) -> Locator:
    return page.get_by_role("application", name=re.compile("^Parallel coordinates"))


def matrix(page: Page) -> Locator:
    return page.get_by_role("application", name=re.compile("^Scatter matrix"))


def brush(page: Page, axis: str, start: float, stop: float, *, shift: bool = False) -> None:
    """Along an axis, by shares of its length from the bottom."""
    head = page.get_by_role("button", name=re.compile(rf"^Axis {re.escape(axis)}, ")).bounding_box()
    overlay = parallel(page).bounding_box()
    assert head is not None and overlay is not None
    x, top, bottom = head["x"] + head["width"] / 2, overlay["y"] + 34, overlay["y"] + overlay["height"] - 14
    if shift:
        page.keyboard.down("Shift")
    page.mouse.move(x, bottom - start * (bottom - top))
    page.mouse.down()
    page.mouse.move(x, bottom - (start + stop) / 2 * (bottom - top))
    page.mouse.move(x, bottom - stop * (bottom - top))
    page.mouse.up()
    if shift:
        page.keyboard.up("Shift")


def picked(page: Page) -> dict[str, Any]:
    """The brush as the address has it."""
    found = parse_qs(urlsplit(link_of(page)).fragment).get("hparams.brush")
    return json.loads(found[0]) if found else {}


def is_inside(trial: Made, brush: dict[str, Any]) -> bool:
    values = {f"param:{name}": value for name, value in trial.params.items()} | {"metric:val/loss:last": trial.loss}
    return all(
        any(low <= values[name] <= high for low, high in picks)
        if isinstance(picks[0], list)
        else str(values[name]).lower() in [str(pick).lower() for pick in picks]
        for name, picks in brush.items()
    )


def held_by(brush: dict[str, Any], made: list[Made]) -> list[Made]:
    return [trial for trial in made if is_inside(trial, brush)]


def drawn(view: Locator, count: int) -> None:
    expect(view).to_have_attribute("data-drawn", str(count), timeout=TIMEOUT_MS)


def axes(page: Page) -> list[str]:
    heads = page.get_by_role("button", name=re.compile("^Axis "))
    return [text.strip() for text in heads.all_inner_texts()]
