"""One browser for all files, a context for each page, and pages that notice every word in the console."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.e2e.hparams_page import TRIALS
from tests.e2e.trial_logs import Made, write_sweep
from tools.browser import launch
from tools.in_process import served_in_process

OpenPage = Callable[..., Page]
# A machine that does other things besides is no defect of the page.
PATIENCE_MS = 30_000
expect.set_options(timeout=PATIENCE_MS)


# Not for the whole session: while Playwright runs, its thread has an event loop, and tests elsewhere start their own.
@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = launch(playwright)
        yield browser
        browser.close()


@pytest.fixture
def browser(chromium: Browser) -> Iterator[Browser]:
    """The browser of all tests; what a test opens is closed after it. What a file shares is opened with `chromium`."""
    shared = chromium.contexts
    yield chromium
    for context in chromium.contexts:
        if context not in shared:
            context.close()


@pytest.fixture
def logdir(tmp_path: Path) -> Path:
    """Where the runs of a test go; its own server watches it."""
    return tmp_path / "runs"


@pytest.fixture
def address(logdir: Path) -> Iterator[str]:
    # Tests ask for it before open_page: pages are closed first, and then nobody misses the server.
    logdir.mkdir()
    with served_in_process(logdir) as address:
        yield address


@pytest.fixture
def open_page(browser: Browser) -> Iterator[OpenPage]:
    """Opens pages; at the end of the test none may have said anything in the console, unless `may_complain`."""
    pages: list[Page] = []
    said: list[str] = []

    def open_page(
        address: str, *, width: int = 1440, height: int = 900, theme: str = "light", may_complain: bool = False
    ) -> Page:
        page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=theme)
        page.set_default_timeout(PATIENCE_MS)
        page.on("pageerror", lambda error: said.append(f"error: {error}"))
        if not may_complain:
            page.on("console", lambda message: said.append(f"{message.type}: {message.text}"))
        pages.append(page)
        page.goto(address)
        return page

    yield open_page
    for page in pages:
        page.close()
    assert said == []


@pytest.fixture(scope="module")
def swept(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, list[Made]]]:
    """A sweep of trials, and one server for all tests of a file that only look at it."""
    logdir = tmp_path_factory.mktemp("sweep")
    made = write_sweep(logdir, TRIALS)
    with served_in_process(logdir) as address:
        yield address, made
