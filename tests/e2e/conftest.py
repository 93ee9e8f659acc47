"""One browser for all tests, a context for each page, and a check that pages log nothing to the console."""

from __future__ import annotations

import json
import time
import urllib.request
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Locator, Page, expect, sync_playwright

from tests.e2e.hparams_page import TRIALS
from tests.e2e.traces import record_traces, save_traces
from tests.e2e.trial_logs import Made, write_sweep
from tools.browser import launch
from tools.in_process import served_in_process

if TYPE_CHECKING:
    from tests.e2e.team_process import TeamProcess

OpenPage = Callable[..., Page]
# Long enough for a busy machine.
TIMEOUT_MS = 30_000
expect.set_options(timeout=TIMEOUT_MS)


def press(slider: Locator, *keys: str) -> None:
    """Presses keys on a slider once it has steps: a disabled one takes no focus, and the keys would be lost."""
    expect(slider).to_be_enabled()
    for key in keys:
        slider.press(key)


def pick(near: Locator, label: str, value: str) -> None:
    """Picks a run or a tag by typing its name."""
    near.get_by_role("button", name=label).click()
    near.page.get_by_role("combobox", name=label).fill(value)
    near.page.get_by_role("option", name=value, exact=True).click()


def wait_loaded(address: str) -> None:
    """Waits until the server has read the log directory."""
    while json.load(urllib.request.urlopen(f"{address}api/progress", timeout=TIMEOUT_MS / 1000))["loading"]:
        time.sleep(0.05)


# Not for the whole session: Playwright runs an event loop, and other tests start their own.
@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = record_traces(launch(playwright))
        yield browser
        browser.close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    browser = item.funcargs.get("chromium")
    if browser is not None and call.when == "call" and report.failed:
        save_traces(browser, item.nodeid)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None]:
    """After a test in which the browser died, the next test starts another one, and all that depends on it."""
    try:
        return (yield)
    finally:
        browser = item.funcargs.get("chromium")
        if browser is not None and not browser.is_connected():
            item.session._setupstate.teardown_exact(None)


@pytest.fixture
def browser(chromium: Browser) -> Iterator[Browser]:
    """The shared browser; closes the contexts of a test after it. Use `chromium` for contexts that a file shares."""
    shared = chromium.contexts
    yield chromium
    for context in chromium.contexts:
        if context not in shared:
            context.close()


@pytest.fixture
def logdir(tmp_path: Path) -> Path:
    """The log directory of a test and its server."""
    return tmp_path / "runs"


@pytest.fixture
def address(logdir: Path) -> Iterator[str]:
    # Tests name this fixture before open_page, so that pages are closed before the server.
    logdir.mkdir()
    with served_in_process(logdir) as address:
        yield address


@pytest.fixture
def open_page(browser: Browser) -> Iterator[OpenPage]:
    """Opens pages, and checks at the end that they logged nothing to the console, unless `may_complain`."""
    pages: list[Page] = []
    logged: list[str] = []

    def log(message: ConsoleMessage) -> None:
        # Verbose is Chromium's note about styles that a locator reads in a hidden view; the page itself reads none. The
        # driver's messages are about the speed of drawing in software. A test's server may stop before its page is
        # closed: the page then cannot connect.
        ignored = ("GL Driver Message", "net::ERR_CONNECTION_REFUSED")
        if message.type != "verbose" and not any(text in message.text for text in ignored):
            logged.append(f"{message.type}: {message.text}")

    def open_page(
        address: str, *, width: int = 1440, height: int = 900, theme: str = "light", may_complain: bool = False
    ) -> Page:
        page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=theme)
        page.set_default_timeout(TIMEOUT_MS)
        page.on("pageerror", lambda error: logged.append(f"error: {error}"))
        if not may_complain:
            page.on("console", log)
        pages.append(page)
        page.goto(address)
        return page

    yield open_page
    for page in pages:
        page.close()
    assert logged == []


@pytest.fixture(scope="module")
def swept(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, list[Made]]]:
    """A sweep of trials and a server, for all tests of a file."""
    logdir = tmp_path_factory.mktemp("sweep")
    made = write_sweep(logdir, TRIALS)
    with served_in_process(logdir) as address:
        yield address, made


@pytest.fixture
def logged() -> Iterator[list[str]]:
    """What pages write to the console: nothing."""
    lines: list[str] = []
    yield lines
    assert lines == []


@pytest.fixture(scope="module")
def team(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TeamProcess]:
    from tests.e2e.team_process import team_process

    with team_process(tmp_path_factory.mktemp("team") / "team") as found:
        yield found


@pytest.fixture(scope="module")
def admin(team: TeamProcess, chromium: Browser) -> Iterator[BrowserContext]:
    """Ada, signed in, on a server with runs in the project lab/vision."""
    context = chromium.new_context(viewport={"width": 1440, "height": 900})
    team.set_up(context.request)
    team.add_project(context.request, "vision")
    team.write_runs("vision")
    yield context
    context.close()
