"""After a change of the theme every canvas looks as if the page had been opened in it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.conftest import TIMEOUT_MS
from tests.e2e.every_kind import write_every_kind
from tools.in_process import served_in_process

# Canvases of each tab that have something painted; copied first, since workers own some of them.
PICTURES = """
() => [...document.querySelectorAll("main canvas")].filter(({ width, height }) => width * height > 1).map((canvas) => {
  const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d");
  copy.drawImage(canvas, 0, 0);
  const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
  let digest = 0;
  for (const value of data) digest = (digest * 31 + value) | 0;
  return data.some((value) => value > 0) ? digest : "blank";
})
"""
TABS = [
    "scalars",
    "histograms",
    "histograms&histograms.mode=overlay",
    "histograms&histograms.mode=heat",
    "distributions",
    "pr_curves",
    "audio",
    "mesh",
    "custom_scalars",
    "hparams",
    "hparams&hparams.view=matrix",
]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    logdir = tmp_path_factory.mktemp("runs")
    write_every_kind(logdir)
    with served_in_process(logdir) as address:
        yield address


@pytest.fixture(scope="module")
def pages(chromium: Browser) -> Iterator[tuple[Page, Page]]:
    """One that changes from light to dark, and one that is dark from the start."""
    contexts = [
        chromium.new_context(viewport={"width": 1200, "height": 900}, color_scheme=theme) for theme in ("light", "dark")
    ]
    # Charts mark runs that were written within the last seconds: two pictures of different moments would differ.
    for context in contexts:
        context.clock.set_fixed_time(datetime.now(UTC))
    yield contexts[0].new_page(), contexts[1].new_page()
    for context in contexts:
        context.close()


def pictures(page: Page) -> list[int]:
    """The canvases, once all are painted and two looks agree."""
    page.set_default_timeout(TIMEOUT_MS)
    page.wait_for_function(
        f"""() => {{
            const [before, now] = [window.seen, JSON.stringify(({PICTURES})())];
            window.seen = now;
            return now === before && now !== "[]" && !now.includes("blank");
        }}""",
        polling=150,
    )
    return page.evaluate(PICTURES)


@pytest.mark.parametrize("tab", TABS)
def test_every_canvas_is_drawn_again(pages: tuple[Page, Page], address: str, tab: str) -> None:
    changing, dark = pages
    changing.emulate_media(color_scheme="light")
    for page in pages:
        page.goto("about:blank")
        page.goto(f"{address}#{tab}")
    assert len(pictures(changing)) == len(pictures(dark))
    changing.emulate_media(color_scheme="dark")
    expect(changing.locator("html")).to_have_attribute("data-theme", "dark")
    deadline = time.monotonic() + TIMEOUT_MS / 1000
    # The dark page is looked at again, too: on a busy machine its last chart may come after two equal looks.
    while changing.evaluate(PICTURES) != (wanted := dark.evaluate(PICTURES)) or "blank" in wanted:
        assert time.monotonic() < deadline, "the picture after the change is not that of a page opened in the dark"
        changing.wait_for_timeout(150)
