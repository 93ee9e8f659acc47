"""A browser on a database that another process fills: new points come to the page by themselves."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from seamark import SummaryWriter
from tests.clickhouse.conftest import PASSWORD, with_login
from tests.e2e.conftest import OpenPage, browser, open_page  # noqa: F401
from tests.e2e.scalar_cards import card
from tools.browser import launch, served

ROUNDS = 4


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        found = launch(playwright)
        yield found
        found.close()


@contextmanager
def ingesting(logdir: Path, address: str) -> Iterator[None]:
    words = [sys.executable, "-m", "seamark", "ingest", str(logdir), "--to", address, "--follow", "--index_dir", "none"]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=os.environ)
    assert process.stdout is not None
    assert "Ingesting" in process.stdout.readline()
    try:
        yield
    finally:
        process.kill()
        process.wait()


@contextmanager
def live_run(logdir: Path, databases: Any) -> Iterator[tuple[SummaryWriter, str]]:
    """A run with one point that goes on, and the address of a server on the database that it is ingested into."""
    address = with_login(databases.make())
    with SummaryWriter(logdir / "run") as writer:
        writer.add_scalar("loss", 1.0, 0)
        writer.flush()
        with ingesting(logdir, address), served("--store", address) as url:
            yield writer, url


def test_new_points_come_to_the_page_by_themselves(
    tmp_path: Path,
    databases: Any,
    open_page: OpenPage,  # noqa: F811
) -> None:
    with live_run(tmp_path, databases) as (writer, url):
        page = open_page(url)
        expect(card(page, "loss")).to_contain_text("1 point")
        for step in range(1, ROUNDS + 1):
            writer.add_scalar("loss", 1.0 / step, step)
            writer.flush()
            expect(card(page, "loss")).to_contain_text(f"{step + 1} points")


def test_the_page_says_that_the_database_is_away_and_recovers(
    tmp_path: Path,
    databases: Any,
    cluster: Any,
    open_page: OpenPage,  # noqa: F811
) -> None:
    with live_run(tmp_path, databases) as (writer, url):
        page = open_page(url, may_complain=True)  # the browser logs each 503
        expect(card(page, "loss")).to_contain_text("1 point")
        cluster.stop(how=signal.SIGKILL)
        try:
            expect(page.get_by_role("button", name="1 problem while reading")).to_be_visible()
            page.get_by_role("button", name="1 problem while reading").click()
            expect(page.get_by_text("ClickHouse cannot be reached").first).to_be_visible()
            assert PASSWORD not in page.content()
            writer.add_scalar("loss", 0.5, 1)
            writer.flush()
        finally:
            cluster.start()
        page.keyboard.press("Escape")
        expect(card(page, "loss")).to_contain_text("2 points")
        expect(page.get_by_role("button", name="1 problem while reading")).to_have_count(0)
