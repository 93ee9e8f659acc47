"""What the browser did in a test that failed: traces and pictures, under build/test/traces.

Open a trace with `playwright show-trace FILE`.
"""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Error, Page

TRACES = Path(__file__).resolve().parents[2] / "build" / "test" / "traces"
# Pictures of every step take time, so the first try records actions and requests only.
HAS_PICTURES = os.environ.get("SEAMARK_FULL_TRACES") == "1"


def record_traces(browser: Browser) -> Browser:
    """Records a trace of each context and page that this browser opens from now on."""
    browser.new_context = recording(browser.new_context)
    browser.new_page = recording(browser.new_page)
    return browser


def recording(opens: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(opens)
    def open_and_record(**options: Any) -> BrowserContext | Page:
        opened = opens(**options)
        context = opened.context if isinstance(opened, Page) else opened
        context.tracing.start(screenshots=HAS_PICTURES, snapshots=HAS_PICTURES)
        return opened

    return open_and_record


def save_traces(browser: Browser, test: str) -> None:
    TRACES.mkdir(parents=True, exist_ok=True)
    name = re.sub(r"[^\w.-]+", "-", test.removeprefix("tests/e2e/"))[:120]
    for number, context in enumerate(browser.contexts):
        for page_number, page in enumerate(context.pages):
            save(page.screenshot, TRACES / f"{name}.{number}.{page_number}.png")
        save(context.tracing.stop, TRACES / f"{name}.{number}.zip")


def save(write: Callable[..., object], path: Path) -> None:
    """A browser that is dead or busy has nothing to save; the test's own error is what counts."""
    try:
        write(path=path)
    except Error as error:
        print(f"no trace: {error.message.partition(chr(10))[0]}")
