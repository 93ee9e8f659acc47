"""A link whose patterns would keep a browser's engine busy for ever leaves the page usable."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from seamark.write.append.event_file import EventFile
from tests.e2e.conftest import OpenPage

LONG = "a" * 60
HOSTILE = "(a+)+!"


@pytest.mark.parametrize(
    "settings",
    [
        {"tagFilter": HOSTILE},
        {"groupBy": f"regex:{HOSTILE}"},
        {
            "tagFilter": ".?" * 24 + "!",
            "groupBy": "regex:(a|aa)+$",
            "runFilter": "(.*)*x",
            "runColorGroup": "regex:(a|a)*b",
        },
    ],
)
def test_the_page_answers(logdir: Path, address: str, open_page: OpenPage, settings: dict[str, str]) -> None:
    with EventFile(logdir / LONG) as file:
        for step in range(3):
            file.add_scalar(f"train/{LONG}", 1.0 / (step + 1), step)
    link = "&".join(f"{name}={quote(value, safe='')}" for name, value in settings.items())
    page = open_page(f"{address}#scalars&{link}")
    expect(page.get_by_role("link", name="Scalars", exact=True)).to_be_visible()
    if "tagFilter" in settings:
        expect(page.get_by_text("No matches")).to_be_visible()
    # A page that is busy does not take a click.
    page.get_by_role("link", name="Time series", exact=True).click()
    expect(page).to_have_url(re.compile("#timeseries"))
